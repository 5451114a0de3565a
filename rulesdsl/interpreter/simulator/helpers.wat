  ;; ---------------------------------------------------------------- numbers
  (func $plus (param $a i64) (param $b i64) (result i64) (local $sum i64)
    (local.set $sum (i64.add (local.get $a) (local.get $b)))
    ;; overflow: both operands have a sign that differs from that of the sum
    (if (result i64) (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $sum))
                                        (i64.xor (local.get $b) (local.get $sum))) (i64.const 0))
      (then (call $bound (local.get $a)))
      (else (local.get $sum))))

  (func $minus (param $a i64) (param $b i64) (result i64) (local $found i64)
    (local.set $found (i64.sub (local.get $a) (local.get $b)))
    (if (result i64) (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $b))
                                        (i64.xor (local.get $a) (local.get $found))) (i64.const 0))
      (then (call $bound (local.get $a)))
      (else (local.get $found))))

  (func $times (param $a i64) (param $b i64) (result i64) (local $found i64)
    (local.set $found (i64.mul (local.get $a) (local.get $b)))
    (if (i32.eqz (i32.and (call $small (local.get $a)) (call $small (local.get $b))))
      (then
        (if (i64.eqz (local.get $a)) (then (return (i64.const 0))))
        (if (i32.and (i64.eq (local.get $a) (i64.const -1))
                     (i64.eq (local.get $b) (i64.const -0x8000000000000000)))
          (then (return (i64.const 0x7fffffffffffffff))))
        (if (i32.or (i32.and (i64.eq (local.get $b) (i64.const -1))
                             (i64.eq (local.get $a) (i64.const -0x8000000000000000)))
                    (i64.ne (i64.div_s (local.get $found) (local.get $a)) (local.get $b)))
          (then (return (call $bound (i64.xor (local.get $a) (local.get $b))))))))
    (local.get $found))

  ;; 1 if a number fits 31 bits: products of such numbers cannot overflow
  (func $small (param $a i64) (result i32)
    (i64.lt_u (i64.add (local.get $a) (i64.const 0x40000000)) (i64.const 0x80000000)))

  ;; the bound with the sign of a number
  (func $bound (param $a i64) (result i64)
    (select (i64.const -0x8000000000000000) (i64.const 0x7fffffffffffffff)
            (i64.lt_s (local.get $a) (i64.const 0))))

  (func $over (param $a i64) (param $b i64) (result i64)
    (i64.sub (i64.div_s (local.get $a) (local.get $b))
             (i64.extend_i32_u (i64.lt_s (i64.rem_s (local.get $a) (local.get $b)) (i64.const 0)))))

  (func $modulo (param $a i64) (param $b i64) (result i64) (local $rest i64)
    (local.set $rest (i64.rem_s (local.get $a) (local.get $b)))
    (i64.add (local.get $rest)
             (select (local.get $b) (i64.const 0) (i64.lt_s (local.get $rest) (i64.const 0)))))

  ;; charge the static cost of a game without decisions
  (func $burnt (param $cost i64) (result i64)
    (global.set $fuel (i64.sub (global.get $fuel) (local.get $cost)))
    (if (i64.lt_s (global.get $fuel) (i64.const 0)) (then (unreachable)))
    (i64.const -1))

  (func $larger (param $a i64) (param $b i64) (result i64)
    (select (local.get $a) (local.get $b) (i64.gt_s (local.get $a) (local.get $b))))

  ;; ---------------------------------------------------------------- lists
  ;; the item reached by following a number of links
  (func $along (param $at i32) (param $steps i32) (param $next i32) (result i32)
    (loop $on
      (if (i32.gt_s (local.get $steps) (i32.const 0))
        (then
          (local.set $at (i32.load (i32.add (local.get $next)
                                            (i32.shl (local.get $at) (i32.const 2)))))
          (local.set $steps (i32.sub (local.get $steps) (i32.const 1)))
          (br $on))))
    (local.get $at))

  ;; ---------------------------------------------------------------- random numbers
  ;; SplitMix64: the next 64 bits of the generator of the game
  (func $bits (result i64)
    (global.set $rng (i64.add (global.get $rng) (i64.const 0x9E3779B97F4A7C15)))
    (call $mixed (global.get $rng)))

  (func $mixed (param $z i64) (result i64)
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30)))
                           (i64.const 0xBF58476D1CE4E5B9)))
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
                           (i64.const 0x94D049BB133111EB)))
    (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))

  ;; a uniform number from 0 to count - 1, rejecting bits in the last, partial range
  (func $below (param $count i64) (result i64) (local $bits i64)
    (loop $again
      (local.set $bits (call $bits))
      (if (i64.gt_u (local.get $bits) (i64.sub (i64.const -1) (local.get $count)))
        (then (br_if $again (i64.gt_u (local.get $bits)
          (i64.sub (i64.const -1) (i64.rem_u (i64.sub (i64.const 0) (local.get $count))
                                             (local.get $count))))))))
    (i64.rem_u (local.get $bits) (local.get $count)))

  ;; ---------------------------------------------------------------- choices
  ;; the index of the chosen option: given by the host, else random; -1 to stop here
  (func $pick (param $count i32) (param $player i32) (result i32)
    (local $chosen i32)
    (if (global.get $pending)
      (then
        (local.set $chosen (i32.load (global.get $choices)))
        (global.set $choices (i32.add (global.get $choices) (i32.const 4)))
        (global.set $pending (i32.sub (global.get $pending) (i32.const 1)))
        (if (i32.ge_u (local.get $chosen) (local.get $count))
          (then (global.set $refused (i32.const 1)) (return (i32.const -1))))
        (call $decided (local.get $count) (local.get $player))
        (return (local.get $chosen))))
    (if (i32.eqz (call $goes_on)) (then (return (i32.const -1))))
    (call $decided (local.get $count) (local.get $player))
    (i32.wrap_i64 (call $drawn (i64.extend_i32_u (local.get $count)))))

  ;; 1 if choices are random and the limit on decisions is not reached
  (func $goes_on (result i32)
    (i32.and (global.get $random) (i64.lt_u (global.get $decisions) (global.get $most))))

  ;; a uniform number from 0 to count - 1 for random choices: the upper half of the bits times the
  ;; count, rejecting the bias (Lemire's method)
  (func $drawn (param $count i64) (result i64)
    (local $product i64) (local $rest i64)
    (loop $again
      (global.set $dice (i64.add (global.get $dice) (i64.const 0x9E3779B97F4A7C15)))
      (if (i64.gt_u (local.get $count) (i64.const 0xffffffff))
        (then (return (i64.rem_u (call $mixed (global.get $dice)) (local.get $count)))))
      (local.set $product (i64.mul (i64.shr_u (call $mixed (global.get $dice)) (i64.const 32))
                                   (local.get $count)))
      (local.set $rest (i64.and (local.get $product) (i64.const 0xffffffff)))
      (if (i64.lt_u (local.get $rest) (local.get $count))
        (then (br_if $again (i64.lt_u (local.get $rest)
          (i64.rem_u (i64.sub (i64.const 0x100000000) (local.get $count)) (local.get $count)))))))
    (i64.shr_u (local.get $product) (i64.const 32)))

  ;; count a decision, and add the question to the trace
  (func $decided (param $count i32) (param $player i32)
    (global.set $decisions (i64.add (global.get $decisions) (i64.const 1)))
    (global.set $rounds (i64.add (global.get $rounds) (global.get $begun)))
    (global.set $begun (i64.const 0))
    (global.set $fuel (i64.const {fuel}))
    (global.set $trace (i64.mul (i64.const 0x9E3779B97F4A7C15)
      (i64.xor (global.get $trace)
        (i64.or (i64.extend_i32_u (local.get $count))
                (i64.shl (i64.extend_i32_u (local.get $player)) (i64.const 32)))))))
