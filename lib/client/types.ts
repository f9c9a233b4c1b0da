import type { z } from 'zod'
import type { Contracts } from '#lib/contracts/all'
import type { Contract, Output } from '#lib/contracts/contract'

type Loose<T> = T extends Date ? Date | string : T
/** Addresses are text: an absent parameter is not written, a Date is written as ISO 8601. */
type Query<O> = { [Key in keyof O]?: Loose<O[Key]> | undefined }
type Body<I> = I extends object ? { [Key in keyof I]: I[Key] extends File ? Blob : I[Key] } : I

type GivenParams<C> = C extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown
type GivenQuery<C> = C extends { query: infer S extends z.ZodType } ? { query?: Query<z.output<S>> } : unknown
type GivenBody<C> = C extends { body: infer S extends z.ZodType }
  ? undefined extends z.input<S>
    ? { body?: Body<z.input<S>> }
    : { body: Body<z.input<S>> }
  : unknown

/** What a method answers: the contract's body, a Blob where the answer is a file, the Response where it is a stream, null where there is none (204). */
export type Answer<C> = C extends { file: true | 'ndjson' | 'bytes' }
  ? Blob
  : C extends { stream: true }
    ? Response
    : C extends Contract
      ? Output<C>
      : never

type Options<C> = {
  /** Ends the request, and the waiting between two tries. */
  signal?: AbortSignal
  /**
   * Reads before a failed change is tried again: what it answers is the answer, null or undefined lets the next
   * try go. Without it a change that a 5xx left in doubt is not repeated: it may have been made.
   */
  find?: () => Promise<Answer<C> | null | undefined>
}

export type Inputs<C> = GivenParams<C> & GivenQuery<C> & GivenBody<C> & Options<C>

/** One method per operation, named as its id. */
export type Client = {
  [Id in keyof Contracts]: Record<never, never> extends Inputs<Contracts[Id]>
    ? (inputs?: Inputs<Contracts[Id]>) => Promise<Answer<Contracts[Id]>>
    : (inputs: Inputs<Contracts[Id]>) => Promise<Answer<Contracts[Id]>>
}
