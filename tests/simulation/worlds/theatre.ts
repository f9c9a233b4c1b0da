import pg from 'pg'
import { inngest } from '#lib/events/client'
import { processState } from '#lib/process-state'
import type { SocialProvider } from '#lib/providers/social/port'
import type { GatedClient } from '#tests/simulation/checks/gate'
import { judge } from '#tests/simulation/checks/invariants'
import { drain, emptyLedger, type Ledger } from '#tests/simulation/checks/ledger'
import { judgeOffer } from '#tests/simulation/checks/offers'
import type { Witness } from '#tests/simulation/checks/witness'
import { openVault, type Vault, vendorsOf } from '#tests/simulation/grants/vault'
import type { Outside } from '#tests/simulation/worlds/outside-event'
import { type Nap, naps, type Offer } from '#tests/simulation/worlds/provider'
import { type Rng, rngOf } from '#tests/simulation/worlds/random'
import { prepareDatabase, type Scene, setScene } from '#tests/simulation/worlds/scene'
import { type Network, simulatedNetwork } from '#tests/simulation/worlds/social-network'
import type { WorldSpec } from '#tests/simulation/worlds/spec'
import { createStage, type Stage } from '#tests/simulation/worlds/stage'

/** One database in which worlds are played one after another. */
export type Theatre = { stage: Stage; control: pg.Client; close(): Promise<void> }

export async function openTheatre(url: string): Promise<Theatre> {
  const control = new pg.Client({ connectionString: url, options: '-c plan_cache_mode=force_generic_plan' })
  await control.connect()
  await prepareDatabase(control)
  prepareOnce(control)
  const stage = createStage(url, control)
  // Events only wake another process; here the next wake-up replaces all of them.
  Object.assign(inngest, { send: async () => ({ ids: [] }) })
  processState('database', (): { pool?: pg.Pool } => ({})).pool = stage.gate.openPool('owner')
  const close = async () => {
    await stage.gate.close()
    await control.end()
  }
  return { stage, control, close }
}

/** The queries after each commit and each wake-up take longer to plan than to run: each is planned only once, as a prepared statement. */
function prepareOnce(control: pg.Client) {
  const names = new Map<string, string>()
  const ask = control.query.bind(control) as (asked: object) => Promise<pg.QueryResult>
  const asked = (text: string, values: unknown[] = []) => {
    if (!/^\s*(SELECT|WITH)/.test(text)) return ask({ text, values })
    const name = names.get(text) ?? `q${names.size}`
    names.set(text, name)
    return ask({ name, text, values })
  }
  Object.assign(control, { query: asked })
}

/** A world that is being played: its rows, what is known of them, and its living processes. */
export type World = {
  spec: WorldSpec
  scene: Scene
  ledger: Ledger
  witness: Witness
  outside: Outside
  rng: { turns: Rng; events: Rng; mail: Rng }
  /** The connection pool of each living process. */
  pools: Map<string, pg.Pool>
  /** Drains what was committed and judges it; `began`: the commit count when the judged transaction began. */
  look(began: number, actor?: string, client?: GatedClient): Promise<void>
  /** Addresses and accounts that are unreachable now. */
  down: Set<string>
  /** The sign-ins of mailboxes, as their vendor has them. */
  vault: Vault
  /** The social network as a worker reaches it. */
  networkOf(actor: string): SocialProvider
  /** How workers sleep between a claim and its offers. */
  nap: Nap
  /** A worker offers a message. */
  offered(offer: Offer): void
  /** Throws the violation that was found while code under test was running, which must not get to catch it. */
  raise(): void
}

export async function openWorld({ stage, control }: Theatre, spec: WorldSpec): Promise<World> {
  stage.gate.open = true
  stage.clock.now = spec.starts_at
  stage.acting.clear()
  stage.commits = 0
  const vault = openVault(spec.grants, spec.seed, () => stage.clock.now)
  const scene = await setScene(control, spec, vault)
  const ledger = emptyLedger()
  const [parent, child] = scene.workspaces
  ledger.policy = spec.policy
  for (const { workspace_id } of scene.workspaces)
    ledger.zones.set(workspace_id, { timezone: spec.owner_timezone, since: '' })
  ledger.recipients = spec.recipients
  ledger.granted = new Set(
    scene.mailboxes.flatMap(({ mailbox_id }, place) => (spec.grants.mailboxes[place] ? [mailbox_id] : [])),
  )
  ledger.asks_ms = spec.grants.asks_ms
  if (spec.is_family && parent && child) ledger.parents.set(child.workspace_id, parent.workspace_id)
  const network: Network = new Map()
  const witness: Witness = {
    network,
    offers: [],
    words: new Set(),
    places: new Map(scene.campaigns.map(({ campaign_id }, place) => [campaign_id, place])),
    now: spec.starts_at,
    commits: 0,
    began: 0,
    acting: null,
  }
  const rng = {
    turns: rngOf(spec.seed, 'turns'),
    events: rngOf(spec.seed, 'events'),
    mail: rngOf(spec.seed, 'mail'),
  }
  const down = new Set([
    ...spec.down.mailboxes.flatMap((place) => scene.mailboxes[place]?.address ?? []),
    ...spec.down.accounts.flatMap((place) => scene.accounts[place]?.name ?? []),
  ])
  const nap = naps(stage, rngOf(spec.seed, 'naps'), spec.naps)
  const hands = {
    nap,
    network,
    down,
    ledger,
    rng: rng.mail,
    answers: spec.network,
    places: witness.places,
    offered: (offer: Offer) => world.offered(offer),
  }
  const inbound = stage.gate.openPool('inbound')
  const wrong: unknown[] = []
  const world: World = {
    spec,
    scene,
    ledger,
    witness,
    rng,
    down,
    vault,
    nap,
    outside: {
      scene,
      down,
      vault,
      vendors: vendorsOf(stage, 'owner', vault, false),
      ledger,
      network,
      driver: simulatedNetwork(stage, 'owner', hands),
      rng: rng.events,
      inbound,
      offers: witness.offers,
      words: witness.words,
      given_up: new Set(),
      regrets: new Set(),
    },
    networkOf: (actor) => simulatedNetwork(stage, actor, hands),
    pools: new Map([['inbound', inbound]]),
    look: async (began, actor = '', client) => {
      const acting = stage.acting.get(actor) ?? null
      const changes = await drain(control, stage.gate.blocked(client))
      judge(
        ledger,
        changes,
        Object.assign(witness, { now: stage.clock.now, commits: stage.commits, began, acting }),
      )
    },
    offered: (offer) => {
      try {
        judgeOffer(ledger, offer, Object.assign(witness, { now: stage.clock.now }))
      } catch (error) {
        wrong.push(error)
      }
      witness.offers.push(offer)
    },
    raise: () => {
      if (wrong.length > 0) throw wrong[0]
    },
  }
  await world.look(0)
  stage.committed = async (client, actor) => {
    await world.look(client.began ?? stage.commits, actor, client)
    world.raise()
  }
  stage.gate.open = false
  return world
}

/** All processes of the world end; the next world finds the stage empty. */
export async function closeWorld({ stage }: Theatre, { pools }: World): Promise<void> {
  for (const actor of pools.keys()) await stage.gate.kill(actor)
  // A world that got stuck may leave a process within a transaction, holding locks that the next world needs.
  for (const one of stage.gate.parked) {
    await stage.gate.cut(one.client)
    one.fail(new Error('Connection terminated unexpectedly'))
  }
  stage.gate.parked = []
  stage.cues.length = 0
  stage.timers.drop()
}
