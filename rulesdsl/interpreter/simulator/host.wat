  ;; ---------------------------------------------------------------- entry points for the host
  (global $rng (mut i64) (i64.const 0))
  (global $fuel (mut i64) (i64.const 0))  ;; remaining fuel until the next decision
  (global $dice (mut i64) (i64.const 0))
  (global $decisions (mut i64) (i64.const 0))
  (global $most (mut i64) (i64.const 0))  ;; decisions after which a playout is stopped
  (global $rounds (mut i64) (i64.const 0))
  (global $begun (mut i64) (i64.const 0))  ;; 1 if a round has begun since the last decision
  (global $trace (mut i64) (i64.const 0))
  (global $random (mut i32) (i32.const 0))
  (global $choices (mut i32) (i32.const 0))
  (global $pending (mut i32) (i32.const 0))  ;; number of choices of the host yet to be made
  (global $refused (mut i32) (i32.const 0))
  (global $counting (mut i32) (i32.const 0))  ;; 1 if offered and chosen options are counted

  ;; a machine that unwinds pushes its resume point; its caller follows
  (func $stack (param $machine i32) (param $at i32) (local $depth i32)
    (local.set $depth (i32.load offset={depth} (i32.const 0)))
    (i32.store offset={stack} (i32.shl (local.get $depth) (i32.const 3)) (local.get $machine))
    (i32.store offset={stack} (i32.add (i32.shl (local.get $depth) (i32.const 3)) (i32.const 4))
      (local.get $at))
    (i32.store offset={depth} (i32.const 0) (i32.add (local.get $depth) (i32.const 1))))

  (func $enter (param $machine i32) (param $at i32) (result i32)
{machines}
    (unreachable))

  ;; begin a game: copy the box
  (func $fresh
    (memory.copy (i32.const {core}) (i32.const {box}) (i32.const {size}))
    (i32.store offset={depth} (i32.const 0) (i32.const 0))
    (i32.store offset={over} (i32.const 0) (i32.const 0)))

  ;; run from the beginning to the end, or to a decision
  (func $begin
    (call $fresh)
    (global.set $fuel (i64.const {fuel}))
    (call $waits {game}))

  ;; resume the position
  (func $go_on
    (local $depth i32) (local $frame i32) (local $status i32) (local $above i32)
    (if (i32.load offset={over} (i32.const 0)) (then (return)))
    (global.set $fuel (i64.const {fuel}))
    ;; set the stack aside, since new frames will be pushed
    (local.set $depth (i32.load offset={depth} (i32.const 0)))
    (memory.copy (i32.const {aside}) (i32.const {stack})
      (i32.shl (local.get $depth) (i32.const 3)))
    (i32.store offset={depth} (i32.const 0) (i32.const 0))
    (block $stops
      (loop $frames
        (local.set $status (call $enter
          (i32.load offset={aside} (i32.shl (local.get $frame) (i32.const 3)))
          (i32.load offset={aside} (i32.add (i32.shl (local.get $frame) (i32.const 3)) (i32.const 4)))))
        (br_if $stops (local.get $status))
        (local.set $frame (i32.add (local.get $frame) (i32.const 1)))
        (br_if $frames (i32.lt_u (local.get $frame) (local.get $depth)))))
    (if (i32.eq (local.get $status) (i32.const 1))
      (then  ;; frames not resumed lie below the new ones
        (local.set $above (i32.load offset={depth} (i32.const 0)))
        (local.set $frame (i32.add (local.get $frame) (i32.const 1)))
        (memory.copy
          (i32.add (i32.const {stack}) (i32.shl (local.get $above) (i32.const 3)))
          (i32.add (i32.const {aside}) (i32.shl (local.get $frame) (i32.const 3)))
          (i32.shl (i32.sub (local.get $depth) (local.get $frame)) (i32.const 3)))
        (i32.store offset={depth} (i32.const 0)
          (i32.add (local.get $above) (i32.sub (local.get $depth) (local.get $frame))))))
    (call $waits (local.get $status)))

  (func $waits (param $status i32)
    (i64.store offset={rng} (i32.const 0) (global.get $rng))
    (if (i32.eq (local.get $status) (i32.const 1)) (then (return)))
    (i32.store offset={depth} (i32.const 0) (i32.const 0))
    (i32.store offset={over} (i32.const 0) (i32.const 1)))

  ;; write the result of the position as a row of results
  (func $score (param $row i32)
    (i64.store offset={decisions} (i32.shl (local.get $row) (i32.const 3)) (global.get $decisions))
    (i64.store offset={rounds} (i32.shl (local.get $row) (i32.const 3)) (global.get $rounds))
    (i64.store offset={traces} (i32.shl (local.get $row) (i32.const 3)) (global.get $trace))
{score})

  ;; the seeds of a game: two numbers of the stream of a run
  (func $seeds (param $run i64) (param $number i64)
    (local.set $number (i64.shl (local.get $number) (i64.const 1)))
    (global.set $rng (call $mixed (i64.add (local.get $run)
      (i64.mul (i64.const 0x9E3779B97F4A7C15) (i64.add (local.get $number) (i64.const 1))))))
    (global.set $dice (call $mixed (i64.add (local.get $run)
      (i64.mul (i64.const 0x9E3779B97F4A7C15) (i64.add (local.get $number) (i64.const 2)))))))

  ;; play games of a run, from the first number on, and write a row of results for each. Games
  ;; start at the beginning, or at the root position of a given size, where the given choices are
  ;; applied first, and stop at a limit of decisions. Arguments are in memory: passing parameters
  ;; would take the host longer than a short game
  (func (export "play")
    (local $run i64) (local $first i64) (local $count i32) (local $bytes i32) (local $pending i32)
    (local $row i32)
    (local.set $run (i64.load offset={given} (i32.const 0)))
    (local.set $first (i64.load offset={given} (i32.const 8)))
    (local.set $count (i32.wrap_i64 (i64.load offset={given} (i32.const 16))))
    (local.set $bytes (i32.wrap_i64 (i64.load offset={given} (i32.const 24))))
    (local.set $pending (i32.wrap_i64 (i64.load offset={given} (i32.const 32))))
    (global.set $most (i64.load offset={given} (i32.const 40)))
    (global.set $counting (i32.wrap_i64 (i64.load offset={given} (i32.const 48))))
    (global.set $refused (i32.const 0))
    (global.set $random (i32.const 1))
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $games
      (global.set $decisions (i64.const 0))
      (global.set $trace (i64.const 0))
      (global.set $rounds (i64.const 0))
      (global.set $begun (i64.const 0))
      (call $seeds (local.get $run) (i64.add (local.get $first) (i64.extend_i32_u (local.get $row))))
      (global.set $choices (i32.const {choices}))
      (global.set $pending (local.get $pending))
      (if (local.get $bytes)
        (then
          (memory.copy (i32.const {position}) (i32.const {root}) (local.get $bytes))
          (call $go_on))
        (else (call $begin)))
      (global.set $fuel (i64.const {fuel}))
      (call $score (local.get $row))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $games (i32.lt_u (local.get $row) (local.get $count))))
    (call $answer))

  ;; the number of choices left over, or -1 if one was illegal
  (func $answer
    (i64.store offset={given} (i32.const 0) (i64.extend_i32_s
      (select (i32.const -1) (global.get $pending) (global.get $refused))))
    (global.set $pending (i32.const 0)))

  ;; begin a game with a seed, and run to the first decision
  (func (export "begin")
    (global.set $random (i32.const 0))
    (global.set $pending (i32.const 0))
    (global.set $rng (i64.load offset={given} (i32.const 0)))
    (call $begin))

  ;; apply choices
  (func (export "choose")
    (global.set $random (i32.const 0))
    (global.set $refused (i32.const 0))
    (global.set $choices (i32.const {choices}))
    (global.set $pending (i32.wrap_i64 (i64.load offset={given} (i32.const 0))))
    (global.set $rng (i64.load offset={rng} (i32.const 0)))
    (call $go_on)
    (call $answer))
