  ;; 1 if a number is among the items, of {width} bytes each, else 0
  (func $contains{width} (param $at i32) (param $count i32) (param $value i64) (result i32)
    (local.set $count (i32.add (local.get $at) (i32.mul (local.get $count) (i32.const {width}))))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $count))
        (then
          (if (i64.eq (i64.{load} (local.get $at)) (local.get $value))
            (then (return (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (i32.const {width})))
          (br $next))))
    (i32.const 0))
