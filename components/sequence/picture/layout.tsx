/** Size of a step, in the picture's units. */
const NODE = { width: 288, height: 104 }
/** Size of the pills at the start and end. */
const PILL = { width: 176, height: 36 }
/** Beside a lane: bypasses on the left, exits on the right. */
const SIDE = { left: 104, right: 148 }
/** Space between two nodes, for the wait and the count. */
const GAP = 84
const MARGIN = 12

type Drawn = { key: string; isConditional: boolean; lane?: number }
export type Spot = { key: string; x: number; y: number; width: number; height: number }
export type Way = {
  /** The key of the step it leads to, or of the end. */
  key: string
  kind: 'next' | 'around'
  path: string
  /** The position of its label. */
  at: { x: number; y: number }
}
export type Layout = { start: Spot; steps: Spot[]; end: Spot; ways: Way[]; width: number; height: number }

/**
 * Positions of all elements: one step below the other, each in a lane; there is a single lane until a
 * sequence branches. A bypass leads around a step with a condition.
 */
export function layoutPicture(steps: readonly Drawn[]): Layout {
  const lanes = Math.max(0, ...steps.map(({ lane = 0 }) => lane)) + 1
  const laneWidth = SIDE.left + NODE.width + SIDE.right
  const centre = (lane: number) => MARGIN + lane * laneWidth + SIDE.left + NODE.width / 2
  const spot = (key: string, size: { width: number; height: number }, lane: number, y: number): Spot => ({
    key,
    x: centre(lane) - size.width / 2,
    y,
    ...size,
  })
  const start = spot('start', PILL, 0, MARGIN)
  const below = (y: number) => y + GAP
  let y = below(start.y + start.height)
  const placed = steps.map(({ key, lane = 0 }) => {
    const own = spot(key, NODE, lane, y)
    y = below(own.y + own.height)
    return own
  })
  const end = spot('end', PILL, 0, y)
  const all = [start, ...placed, end]
  const next = all.slice(1).map((to, index): Way => {
    const from = all[index] ?? start
    return { key: to.key, kind: 'next', ...straight(from, to) }
  })
  const around = placed.flatMap((own, index): Way[] =>
    steps[index]?.isConditional ? [{ key: own.key, kind: 'around', ...bypass(own) }] : [],
  )
  return {
    start,
    steps: placed,
    end,
    ways: [...next, ...around],
    width: 2 * MARGIN + lanes * laneWidth,
    height: end.y + end.height + MARGIN,
  }
}

const middle = ({ x, width }: Spot) => x + width / 2

/** From the lower edge of one node to the upper edge of the next; curved between lanes. */
function straight(from: Spot, to: Spot): Pick<Way, 'path' | 'at'> {
  const [x1, y1, x2, y2] = [middle(from), from.y + from.height, middle(to), to.y]
  const half = (y1 + y2) / 2
  const path = x1 === x2 ? `M${x1} ${y1}V${y2}` : `M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2}`
  return { path, at: { x: (x1 + x2) / 2, y: half } }
}

/** Leaves the line above a step, passes on its left, and joins the line below. */
function bypass({ x, y, width, height }: Spot): Pick<Way, 'path' | 'at'> {
  const [line, side, turn] = [x + width / 2, x - 24, 12]
  const [top, bottom] = [y - 14, y + height + 14]
  const path = [
    `M${line} ${top}H${side + turn}Q${side} ${top} ${side} ${top + turn}`,
    `V${bottom - turn}Q${side} ${bottom} ${side + turn} ${bottom}H${line}`,
  ].join('')
  return { path, at: { x: side - 8, y: y + height / 2 } }
}

/** The width of a line by its share of all leads. */
export const breadth = (count: number | null, total: number): number =>
  count === null || total === 0 ? 1.5 : 1.5 + 6.5 * Math.sqrt(Math.min(1, count / total))
