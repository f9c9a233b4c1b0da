import type pg from 'pg'
import type { SocialProvider } from '#lib/providers/social/port'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import type { Ledger } from '#tests/simulation/checks/ledger'
import type { Vault } from '#tests/simulation/grants/vault'
import type { Offer } from '#tests/simulation/worlds/provider'
import type { Rng } from '#tests/simulation/worlds/random'
import type { Scene } from '#tests/simulation/worlds/scene'
import type { Network } from '#tests/simulation/worlds/social-network'

/** Something that happens to the product from outside; `actor` says which door it comes through. */
export type OutsideEvent = {
  actor: 'owner' | 'inbound'
  /** In whose name; worlds with accounts have one workspace only, and need not say. */
  workspace_id?: string
  label: string
  work(now: Date): Promise<unknown>
}

export type Outside = {
  scene: Scene
  network: Network
  /** How the owner's process reaches the network. */
  driver: SocialProvider
  ledger: Ledger
  rng: Rng
  inbound: pg.Pool
  offers: Offer[]
  words: Set<string>
  /** Addresses and accounts that cannot be reached now. */
  down: Set<string>
  vault: Vault
  /** How the owner's process reaches the vendor of mailboxes. */
  vendors: Vendors
  /** Campaigns of which leads were stopped that shall go on after all. */
  regrets: Set<string>
  /** Accounts that nobody signs in to again: their owner goes on with another one and deletes them. */
  given_up: Set<string>
}
