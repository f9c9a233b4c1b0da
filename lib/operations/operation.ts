import type { Answer, Contract, Input, Scope } from '#lib/contracts/contract'
import type { Permissions } from '#lib/contracts/permissions'
import type { CurrentUser } from '#lib/contracts/workspaces/auth'

/** Who acts, and how they proved it. */
export type Actor = Pick<
  CurrentUser,
  'user_id' | 'email' | 'name' | 'tier' | 'credential' | 'workspace_id' | 'workspace_name' | 'role'
> & {
  scopes: readonly Scope[]
  created_at: Date
  /** Of a JWT that belongs to a browser's session. */
  session_id?: string
  /** Of an API key that is restricted to resources; null or absent: the scopes alone decide. */
  permissions?: Permissions | null
  /** Of a JWT that belongs to none: since when it is good. */
  issued_at?: Date
  /** Of an API key, its first characters. */
  key_prefix?: string
  /** Set where it is a JWT at the API, and no page of the dashboard. */
  by_token?: true
  /** Set where the assistant acts in the user's name. */
  by_assistant?: true
}

export type Context<C extends Contract> = Input<C> & {
  /** Of an open operation nobody is known: then this is never read. */
  user: Actor
  now: Date
}

/** A contract and the service verb that fulfils it: all that HTTP, OpenAPI, MCP and the assistant need. */
export type Operation<C extends Contract = Contract> = {
  contract: C
  act: (context: Context<C>) => Answer<C>
  /** Of one that does not always send: whether tools show this call before they do it. */
  asks?: (context: Context<C>) => Promise<boolean>
}

export const operation = <const C extends Contract>(
  contract: C,
  act: (context: Context<C>) => Answer<C>,
  asks?: (context: Context<C>) => Promise<boolean>,
): Operation<C> => ({ contract, act, ...(asks ? { asks } : {}) })

/** An operation in a list, where its exact types no longer matter. */
export type AnyOperation = {
  contract: Contract
  // biome-ignore lint/suspicious/noExplicitAny: a registry holds operations of every input; each checks its own by its contract
  act: (context: any) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: the same
  asks?: (context: any) => Promise<boolean>
}
