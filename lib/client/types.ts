import type { z } from 'zod'
import type { Contracts } from '#lib/contracts/all'
import type { Contract, Output } from '#lib/contracts/contract'

type Loose<T> = T extends Date ? Date | string : T
/** Query values are text: an absent parameter is left out, a Date is written as ISO 8601. */
type Query<O> = { [Key in keyof O]?: Loose<O[Key]> | undefined }
type Body<I> = I extends object ? { [Key in keyof I]: I[Key] extends File ? Blob : I[Key] } : I

type GivenParams<C> = C extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown
type GivenQuery<C> = C extends { query: infer S extends z.ZodType } ? { query?: Query<z.output<S>> } : unknown
type GivenBody<C> = C extends { body: infer S extends z.ZodType }
  ? undefined extends z.input<S>
    ? { body?: Body<z.input<S>> }
    : { body: Body<z.input<S>> }
  : unknown

/** The result of a method: the contract's body, a Blob for a file, the Response for a stream, null for a 204. */
export type Answer<C> = C extends { file: true | 'ndjson' | 'bytes' }
  ? Blob
  : C extends { stream: true }
    ? Response
    : C extends Contract
      ? Output<C>
      : never

type Options<C> = {
  /** Aborts the request, and the wait between two attempts. */
  signal?: AbortSignal
  /**
   * Called before a failed change is repeated. If it returns a result, that is the answer; null or undefined allows the next
   * attempt. Without it, a change that failed with a 5xx is not repeated, because it may have been made.
   */
  find?: () => Promise<Answer<C> | null | undefined>
}

export type Inputs<C> = GivenParams<C> & GivenQuery<C> & GivenBody<C> & Options<C>

/** One method per operation, named after its id. */
export type Client = {
  [Id in keyof Contracts]: Record<never, never> extends Inputs<Contracts[Id]>
    ? (inputs?: Inputs<Contracts[Id]>) => Promise<Answer<Contracts[Id]>>
    : (inputs: Inputs<Contracts[Id]>) => Promise<Answer<Contracts[Id]>>
}
