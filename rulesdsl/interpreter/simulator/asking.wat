  ;; ---------------------------------------------------------------- counts and weights of options
  ;; the number of an option among all options of the game, as in `decision_points.Offer`: the
  ;; entity or, for a line, the start of the line plus its low bits; the option to stop comes first
  (func $numbered (param $option i64) (param $first i32) (param $lines i32) (param $many i32)
    (result i32)
    (if (result i32) (local.get $lines)
      (then
        (if (result i32) (i64.lt_s (local.get $option) (i64.const 0))
          (then (local.get $first))
          (else
            (i32.add (local.get $first)
              (i32.add
                (i32.load (i32.add (local.get $lines)
                  (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $option) (i64.const 16)))
                           (i32.const 2))))
                (i32.wrap_i64 (i64.and (local.get $option) (i64.const 0xffff))))))))
      (else
        (i32.add (local.get $first)
          (i32.wrap_i64 (select (i64.extend_i32_u (i32.sub (local.get $many) (i32.const 1)))
                                (local.get $option)
                                (i64.ge_u (local.get $option)
                                          (i64.extend_i32_u (local.get $many)))))))))

  ;; a weighted random choice among options, which are counted
  (func $pick_of (param $count i32) (param $player i32)
    (param $options i32) (param $first i32) (param $lines i32) (param $many i32) (result i32)
    (local $at i32) (local $total i64) (local $chosen i32)
    (call $look (local.get $player))
    (if (i32.and (i32.eqz (global.get $pending)) (call $goes_on))
      (then
        (loop $weigh
          (local.set $total (i64.add (local.get $total) (call $weight_of
            (call $option (local.get $at) (local.get $options) (local.get $first)
                          (local.get $lines) (local.get $many)) (local.get $player))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $weigh (i32.lt_u (local.get $at) (local.get $count))))))
    (if (i64.eqz (local.get $total))  ;; all weights are 0: uniform
      (then (local.set $chosen (call $pick (local.get $count) (local.get $player))))
      (else
        (call $decided (local.get $count) (local.get $player))
        (local.set $total (call $drawn (local.get $total)))
        (local.set $chosen (i32.const -1))
        (loop $walk
          (local.set $chosen (i32.add (local.get $chosen) (i32.const 1)))
          (local.set $total (i64.sub (local.get $total) (call $weight_of
            (call $option (local.get $chosen) (local.get $options) (local.get $first)
                          (local.get $lines) (local.get $many)) (local.get $player))))
          (br_if $walk (i64.ge_s (local.get $total) (i64.const 0))))))
    (if (i32.lt_s (local.get $chosen) (i32.const 0)) (then (return (local.get $chosen))))
    (if (i32.eqz (global.get $counting)) (then (return (local.get $chosen))))
    (local.set $at (i32.const 0))
    (loop $count_all
      (call $count_one
        (call $option (local.get $at) (local.get $options) (local.get $first) (local.get $lines)
                      (local.get $many))
        (local.get $player)
        (i32.eq (local.get $at) (local.get $chosen)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $count_all (i32.lt_u (local.get $at) (local.get $count))))
    (local.get $chosen))

  ;; count an option that was offered and perhaps chosen, in total and at the player's level of
  ;; each holding
  (func $count_one (param $option i32) (param $player i32) (param $taken i32) (local $at i32)
    (call $add_to (call $cell_of (local.get $option) (local.get $player)) (local.get $taken))
    (loop $each
      (if (i32.ge_u (local.get $at) (global.get $holdings)) (then (return)))
      (call $add_to
        (call $cell_of
          (i32.add (local.get $option) (i32.mul (i32.const {every})
            (i32.add (i32.const 1) (call $row (local.get $at)))))
          (local.get $player))
        (local.get $taken))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each)))

  (func $add_to (param $cell i32) (param $taken i32)
    (if (i64.eqz (i64.load offset={offered_so_far} (local.get $cell)))
      (then (call $note (local.get $cell))))
    (i64.store offset={offered_so_far} (local.get $cell)
      (i64.add (i64.load offset={offered_so_far} (local.get $cell)) (i64.const 1)))
    (i64.store offset={chosen_so_far} (local.get $cell)
      (i64.add (i64.load offset={chosen_so_far} (local.get $cell))
               (i64.extend_i32_u (local.get $taken)))))

  ;; record a cell that is counted for the first time: the host reads only such cells
  (func $note (param $cell i32) (local $many i32)
    (local.set $many (i32.load offset={many_noted} (i32.const 0)))
    (i32.store offset={noted} (i32.shl (local.get $many) (i32.const 2))
      (i32.shr_u (local.get $cell) (i32.const 3)))
    (i32.store offset={many_noted} (i32.const 0) (i32.add (local.get $many) (i32.const 1))))

  (func $option (param $at i32) (param $options i32) (param $first i32) (param $lines i32)
    (param $many i32) (result i32)
    (call $numbered (i64.load (i32.add (local.get $options) (i32.shl (local.get $at) (i32.const 3))))
      (local.get $first) (local.get $lines) (local.get $many)))

  (func $cell_of (param $option i32) (param $player i32) (result i32)
    (i32.shl (i32.add (i32.mul (local.get $option) (i32.const {seats})) (local.get $player))
             (i32.const 3)))

  ;; the weight of an option for a player, times a factor for each holding;
  ;; `action_space.tempered` computes the same
  (func $weight_of (param $option i32) (param $player i32) (result i64)
    (local $weight i64) (local $at i32)
    (local.set $weight (i64.load32_u offset={weights}
      (i32.shr_u (call $cell_of (local.get $option) (local.get $player)) (i32.const 1))))
    (if (i64.eqz (local.get $weight)) (then (return (local.get $weight))))
    (loop $each
      (if (i32.ge_u (local.get $at) (global.get $holdings)) (then (return (local.get $weight))))
      (local.set $weight (i64.shr_u
        (i64.mul (local.get $weight) (i64.load32_u offset={factors}
          (i32.shl (i32.add (local.get $option)
                            (i32.mul (call $row (local.get $at)) (i32.const {every})))
                   (i32.const 2))))
        (i64.const 16)))
      (if (i64.eqz (local.get $weight)) (then (local.set $weight (i64.const 1))))
      (if (i64.gt_u (local.get $weight) (i64.const {heaviest}))
        (then (local.set $weight (i64.const {heaviest}))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each))
    (unreachable))

  ;; ---------------------------------------------------------------- holdings of a player
  (global $holdings (mut i32) (i32.const 0))  ;; number of holdings that count

  ;; the current row of factors of a holding
  (func $row (param $at i32) (result i32)
    (i32.load offset={rows} (i32.shl (local.get $at) (i32.const 2))))

  ;; set the current row of factors of each holding, according to the player's level of it
  (func $look (param $player i32)
    (local $at i32) (local $next i32) (local $end i32) (local $sum i64)
    (global.set $holdings (i32.load offset={looking} (i32.shl (local.get $player) (i32.const 2))))
    (loop $each
      (if (i32.ge_u (local.get $at) (global.get $holdings)) (then (return)))
      (local.set $next (i32.mul (i32.const {bytes_of_one})
        (i32.add (i32.mul (local.get $at) (i32.const {seats})) (local.get $player))))
      (local.set $end (i32.add (local.get $next) (i32.const {bytes_of_one})))
      (local.set $sum (i64.const 0))
      (block $done
        (loop $cells
          (br_if $done (i32.eq (local.get $next) (local.get $end)))
          (br_if $done (i32.eqz (i32.load offset={addresses} (local.get $next))))
          (local.set $sum (i64.add (local.get $sum) (call $held
            (i32.load offset={addresses} (local.get $next))
            (i32.load offset={widths} (i32.shl (local.get $at) (i32.const 2))))))
          (local.set $next (i32.add (local.get $next) (i32.const 4)))
          (br $cells)))
      (i32.store offset={rows} (i32.shl (local.get $at) (i32.const 2))
        (i32.add (i32.mul (local.get $at) (i32.const {levels}))
{level}))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each)))

  ;; the number in a cell of the given width
  (func $held (param $address i32) (param $width i32) (result i64)
{held}
    (unreachable))
