import type { LedgerStatus } from '#lib/domain/leads/uncertain'
import { typedKeys } from '#lib/domain/text/record'

type Move = { from: readonly LedgerStatus[]; to: readonly LedgerStatus[] }

/** What moves an action in the ledger. `offer` and `pass_over` write its row where there is none yet. */
const MOVES = {
  offer: { from: ['retry'], to: ['sending'] },
  pass_over: { from: ['retry'], to: ['skipped'] },
  // By the worker that holds it, even once it was taken for dead.
  report: { from: ['sending', 'uncertain'], to: ['sent', 'retry', 'failed', 'uncertain', 'skipped'] },
  // A mail that came in shows that it left.
  prove: { from: ['uncertain'], to: ['sent'] },
  // Its owner's word.
  resolve: { from: ['uncertain'], to: ['sent', 'retry', 'failed'] },
  // It was handed over, and came back for now.
  come_back: { from: ['sent', 'uncertain'], to: ['retry'] },
} as const satisfies Record<string, Move>

export type LedgerVerb = keyof typeof MOVES
export const LEDGER_VERBS = typedKeys(MOVES)
export type LedgerTarget<Verb extends LedgerVerb> = (typeof MOVES)[Verb]['to'][number]

export const ledgerFrom = (verb: LedgerVerb): readonly LedgerStatus[] => MOVES[verb].from
