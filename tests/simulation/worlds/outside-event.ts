import type pg from 'pg'
import type { SocialProvider } from '#lib/providers/social/port'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import type { Ledger } from '#tests/simulation/checks/ledger'
import type { Vault } from '#tests/simulation/grants/vault'
import type { Offer } from '#tests/simulation/worlds/provider'
import type { Rng } from '#tests/simulation/worlds/random'
import type { Scene } from '#tests/simulation/worlds/scene'
import type { Network } from '#tests/simulation/worlds/social-network'

/** Something that happens to the product from outside; `actor` says through which process. */
export type OutsideEvent = {
  actor: 'owner' | 'inbound'
  /** The workspace that acts; worlds with accounts have only one and need not name it. */
  workspace_id?: string
  label: string
  work(now: Date): Promise<unknown>
}

export type Outside = {
  scene: Scene
  network: Network
  /** The network as the owner's process reaches it. */
  driver: SocialProvider
  ledger: Ledger
  rng: Rng
  inbound: pg.Pool
  offers: Offer[]
  words: Set<string>
  /** Addresses and accounts that are unreachable now. */
  down: Set<string>
  vault: Vault
  /** The vendor of mailboxes as the owner's process reaches it. */
  vendors: Vendors
  /** Campaigns with stopped leads that shall be resumed after all. */
  regrets: Set<string>
  /** Accounts that nobody signs in to again: their owner moves to another one and deletes them. */
  given_up: Set<string>
}
