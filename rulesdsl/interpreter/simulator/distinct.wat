  ;; move the first of each set of duplicates to the front of a list; return their number
  (func $distinct.{number} (param $items i32) (param $count i32) (result i32)
    (local $from i32) (local $kept i32) (local $piece i64) (local $at i32)
    (local.set $count (i32.add (local.get $items) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $from (local.get $items))
    (local.set $kept (local.get $items))
    (block $done
      (loop $pieces
        (br_if $done (i32.ge_u (local.get $from) (local.get $count)))
        (local.set $piece (i64.load (local.get $from)))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (local.set $at (local.get $items))
        (loop $earlier
          (if (i32.lt_u (local.get $at) (local.get $kept))
            (then
              (br_if $pieces (i32.wrap_i64
                (call {alike} (i64.load (local.get $at)) (local.get $piece))))
              (local.set $at (i32.add (local.get $at) (i32.const 8)))
              (br $earlier))))
        (i64.store (local.get $kept) (local.get $piece))
        (local.set $kept (i32.add (local.get $kept) (i32.const 8)))
        (br $pieces)))
    (i32.shr_u (i32.sub (local.get $kept) (local.get $items)) (i32.const 3)))
