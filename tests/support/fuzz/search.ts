import { type Lots, mutated } from '#tests/support/fuzz/mutate'
import { type Fault, faultOf } from '#tests/support/fuzz/one-run'
import { shrunk } from '#tests/support/fuzz/shrink'
import { bytesOf, type Target } from '#tests/support/fuzz/target'

const SHRINKING = 400
/** Beyond this number, faults of one kind are only counted, to leave time for others. */
const MOST_FAULTS = 20

export type Finding = Fault & { input: Uint8Array }
export type Found = { runs: number; kept: number; findings: Finding[] }

type Search = {
  target: Target
  lots: Lots
  /** How much of the code an input reached that no other had reached before. */
  news: () => number
  isOver: (runs: number) => boolean
  /** Gets every input before it is run, so that one that never ends is known. */
  about?: (input: Uint8Array) => void
  onFinding?: (finding: Finding) => void
}

/** Inputs that reach new code are kept, and mutated again. */
export async function search({ target, lots, news, isOver, about, onFinding }: Search): Promise<Found> {
  const corpus: Uint8Array[] = []
  const found: Found = { runs: 0, kept: 0, findings: [] }
  const known = new Set<string>()

  async function tried(input: Uint8Array): Promise<Fault | null> {
    about?.(input)
    found.runs += 1
    const fault = await faultOf(target, input)
    // One slow run may be caused by the garbage of another input: only two slow runs are a fault.
    return fault?.kind === 'slow' ? faultOf(target, input) : fault
  }

  async function look(input: Uint8Array): Promise<void> {
    const fault = await tried(input)
    const isNew = news() > 0
    if (fault === null) {
      if (isNew) corpus.push(input)
      return
    }
    if (known.has(fault.what) || known.size >= MOST_FAULTS) return
    known.add(fault.what)
    const small = await shrunk(input, async (part) => (await tried(part))?.what === fault.what, SHRINKING)
    news()
    const finding = { ...fault, input: small }
    found.findings.push(finding)
    onFinding?.(finding)
  }

  for (const seed of target.seeds()) {
    const bytes = bytesOf(seed)
    await look(bytes)
    // Seeds are worth mutating even if they reach no new code.
    if (!corpus.includes(bytes)) corpus.push(bytes)
  }
  const anyOne = () => corpus[Math.floor(lots() * corpus.length)] ?? new Uint8Array()
  /** Prefers the newest, which reached deepest; of two others the shorter, as it runs faster and each change matters more. */
  const next = () => {
    if (lots() < 0.3)
      return corpus.at(-1 - Math.floor(lots() * Math.min(10, corpus.length))) ?? new Uint8Array()
    const [one, other] = [anyOne(), anyOne()]
    return one.length <= other.length ? one : other
  }
  while (!isOver(found.runs)) await look(mutated(next(), lots, target, corpus))
  return { ...found, kept: corpus.length }
}
