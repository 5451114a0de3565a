" Files of rules; Vim takes them for others unless it is told.
autocmd BufRead,BufNewFile *.rules set filetype=coloma
