/** The fields of a lead that a provider receives, as text; fields it does not need are left out. */
export type LookupLead = Readonly<Record<string, string>>

/** Costs are in micro-units (a millionth) of the operator's currency. */
export type LookupAnswer =
  | { outcome: 'found'; fields: Record<string, string>; cost_micros: number; source: string }
  | { outcome: 'nothing'; cost_micros: number }
  /** `is_paid`: it is not known whether the provider charged for it, so it counts as paid. */
  | { outcome: 'failed'; error: string; is_paid: boolean }

/** An external source of data about leads. Never throws for failures of the provider. */
export interface EnrichmentProvider {
  name: string
  /** Shown beside the name wherever people choose the provider or see its results. */
  description: string
  is_sandbox: boolean
  /** The fields that it may return. */
  fields: readonly string[]
  /** The highest price of one look-up: a budget reserves it before the request. */
  price_micros: number
  lookup(lead: LookupLead): Promise<LookupAnswer>
}
