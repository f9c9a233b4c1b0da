import type { Answer, Contract, Input, Scope } from '#lib/contracts/contract'
import type { Permissions } from '#lib/contracts/permissions'
import type { CurrentUser } from '#lib/contracts/workspaces/auth'

/** The acting user and their credential. */
export type Actor = Pick<
  CurrentUser,
  'user_id' | 'email' | 'name' | 'tier' | 'credential' | 'workspace_id' | 'workspace_name' | 'role'
> & {
  scopes: readonly Scope[]
  created_at: Date
  /** Set for a JWT that belongs to a browser session. */
  session_id?: string
  /** For an API key restricted to resources; null or absent: only the scopes decide. */
  permissions?: Permissions | null
  /** For a JWT without a session: when it was issued. */
  issued_at?: Date
  /** The first characters of an API key. */
  key_prefix?: string
  /** Set for a JWT at the API, as opposed to a page of the dashboard. */
  by_token?: true
  /** Set if the assistant acts in the user's name. */
  by_assistant?: true
}

export type Context<C extends Contract> = Input<C> & {
  /** Not set when an open operation is called anonymously; such operations never read it. */
  user: Actor
  now: Date
}

/** A contract and the service function that fulfils it: all that HTTP, OpenAPI, MCP and the assistant need. */
export type Operation<C extends Contract = Contract> = {
  contract: C
  act: (context: Context<C>) => Answer<C>
  /** For operations that send only in some cases: whether tools must show this call before they run it. */
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
