" Syntax of the rules of Coloma. Written by `python -m editors` from the grammar; not by hand.
if exists("b:current_syntax")
  finish
endif

syntax iskeyword @,48-57,_,-,'
syntax match colomaName /\<[a-z][a-z0-9'-]*\>/
syntax match colomaNumber /\<[0-9]\+\>/
syntax match colomaSign /<>\|<=\|>=\|[=<>+*\/]\|\.\./
syntax match colomaComment /#.*$/ contains=@Spell
syntax region colomaText start=/"/ skip=/\\./ end=/"\|$/ oneline contains=colomaValue,@Spell
syntax region colomaValue start=/{/ end=/}/ contained oneline contains=TOP

syntax keyword colomaStatement nothing shuffle choose repeat clear lower needs raise mark menu move show all end for let may say set do
syntax match colomaStatement /\<if\>/
syntax keyword colomaOperator not
syntax match colomaOperator /\<or\>/
syntax match colomaOperator /\<and\>/
syntax keyword colomaPronoun it me my
syntax keyword colomaSwitch off on
syntax keyword colomaAside otherwise numbered secretly starting confirm preview before bottom during random after along holds least quiet shown times until where each from game into most once only seen then when with one per top an as by in no of to a
syntax match colomaAside /\<at\>/
syntax match colomaAside /\<any\>/
syntax match colomaAside /\<the\>/
syntax match colomaStatement /\<if\s\+able\>/
syntax match colomaStatement /\<look\s\+at\>/
syntax match colomaOperator /\<at\s\+most\>/
syntax match colomaOperator /\<at\s\+least\>/
syntax match colomaAside /\<up\s\+to\>/
syntax match colomaAside /\<or\s\+else\>/
syntax match colomaAside /\<any\s\+time\>/
syntax match colomaAside /\<the\s\+only\>/
syntax match colomaAside /\<the\s\+first\>/
syntax match colomaAside /\<other\s\+than\>/
syntax match colomaAside /\<without\s\+score\>/
syntax match colomaAside /\<and\s\+counted\s\+by\s\+all\>/
syntax match colomaAside /\<any\s\+number\s\+of\s\+times\>/
syntax match colomaHead /^\%(add\s\+to\s\+choices\s\+of\|instead\s\+of\s\+value\|instead\s\+of\s\+text\|add\s\+to\s\+menu\s\+of\|instead\s\+of\|constants\|verdict\|before\|memory\|option\|source\|after\|panel\|piece\|place\|rival\|score\|stack\|track\|value\|flag\|kind\|step\|verb\|win\)\>/ nextgroup=colomaDeclared skipwhite
syntax match colomaDeclared /\<[a-z][a-z0-9'.-]*\>/ contained

highlight default link colomaName Identifier
highlight default link colomaNumber Number
highlight default link colomaSign Operator
highlight default link colomaComment Comment
highlight default link colomaText String
highlight default link colomaHead Type
highlight default link colomaDeclared Function
highlight default link colomaStatement Statement
highlight default link colomaOperator Operator
highlight default link colomaPronoun Special
highlight default link colomaSwitch Boolean
highlight default link colomaAside Keyword

let b:current_syntax = "coloma"
