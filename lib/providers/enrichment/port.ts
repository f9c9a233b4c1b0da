/** What a provider is told of a lead: text by field, without what it does not need. */
export type LookupLead = Readonly<Record<string, string>>

/** What it costs stands in micro-units (a millionth) of whatever money the operator counts in. */
export type LookupAnswer =
  | { outcome: 'found'; fields: Record<string, string>; cost_micros: number; source: string }
  | { outcome: 'nothing'; cost_micros: number }
  /** `is_paid`: nobody knows whether it was counted, so it is taken for paid. */
  | { outcome: 'failed'; error: string; is_paid: boolean }

/** Somebody outside who knows more of a lead. Never throws for what the other side does. */
export interface EnrichmentProvider {
  name: string
  /** Shown beside the name wherever people choose or see what it found. */
  description: string
  is_sandbox: boolean
  /** The fields that it may answer. */
  fields: readonly string[]
  /** The most that one look-up costs: a budget reserves it before the question is asked. */
  price_micros: number
  lookup(lead: LookupLead): Promise<LookupAnswer>
}
