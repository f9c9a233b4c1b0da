import {
  type ContactGate,
  type ContactHold,
  type ContactRules,
  restedAt,
} from '#lib/domain/sending/contact-hold'
import { headPlace, type LeadQueue, leadQueue, pop, push } from '#lib/domain/sending/lead-queue'

/** The people of campaigns that are forecast together, numbered, and their state at the start. */
export interface SharedPeople {
  rules: ContactRules
  /** By person: how many campaigns outside the forecast are in progress for them. */
  busy: Int16Array
  /** By person: when a step was last performed for them; −Infinity: never, or long ago. */
  last_at: Float64Array
  /** By person: the number of their company; −1: none. */
  company_of: Int32Array
  /** By company: how many of its people have a campaign outside the forecast in progress. */
  company_busy: Int32Array
}

/** The people of one campaign. */
export interface CampaignPeople {
  /** By lead_index; −1, or beyond the end: unknown. */
  person_of: Int32Array
  /** Leads, by lead_index, with a performed step. */
  begun: ReadonlySet<number>
  /** Leads that were already put off and wait until their person or company is free. */
  asleep: ReadonlyMap<number, 'person_busy' | 'company_busy'>
  /** The campaign ignores the contact policy. */
  is_free: boolean
}

type Wake = (rank: number, lead: number, due: number) => void

/**
 * Applies the contact policy to campaigns that are simulated together, with the same results as the
 * dispatcher's claims. Returns one gate per campaign, in the order of `campaigns`. `wake` is called for each
 * waiting lead with the instant from which it may take its turn.
 *
 * Room at a company is given out only after the instant in which it arose has passed, among all leads that
 * wait by then: call `settle(before)` to do so; it returns whether it did.
 */
export function shareContacts(people: SharedPeople, campaigns: readonly CampaignPeople[], wake: Wake) {
  const { rules, company_of } = people
  const last_at = Float64Array.from(people.last_at)
  const busy = Int16Array.from(people.busy)
  const companyBusy = Int32Array.from(people.company_busy)
  const begun = campaigns.map(({ person_of, begun: leads }) => markLeads(person_of.length, leads))
  const sleepers = chainSleepers(people.busy.length, campaigns)
  /**
   * Leads of one campaign that wait for one company: `asleep` in campaign order, and those woken that have
   * not had their turn yet.
   */
  type Colleagues = { asleep: LeadQueue; awake: Set<number> }
  const colleagues = new Map<number, Map<number, Colleagues>>()
  const max = rules.company_max_active ?? Number.POSITIVE_INFINITY

  const findPerson = (rank: number, lead: number) => campaigns[rank]?.person_of[lead] ?? -1
  const findCompany = (person: number) => company_of[person] ?? -1
  const busyWith = (person: number) => busy[person] ?? 0
  const crowd = (company: number) => companyBusy[company] ?? 0
  /**
   * A person whose last step is at some instant still counts as in progress until that instant has passed.
   */
  const left_at = new Float64Array(busy.length).fill(Number.NEGATIVE_INFINITY)
  const leaving_at = new Float64Array(companyBusy.length).fill(Number.NEGATIVE_INFINITY)
  const leaving = new Int32Array(companyBusy.length)
  const leavingAt = (company: number, at: number) =>
    leaving_at[company] === at ? (leaving[company] ?? 0) : 0
  function leave(company: number, person: number, at: number): void {
    if (left_at[person] === at) return
    left_at[person] = at
    leaving[company] = leavingAt(company, at) + 1
    leaving_at[company] = at
  }

  function begin(rank: number, lead: number, person: number): void {
    const leads = begun[rank]
    if (!leads || leads[lead] === 1) return
    leads[lead] = 1
    enter(person)
  }
  function enter(person: number): void {
    busy[person] = busyWith(person) + 1
    const company = findCompany(person)
    if (busy[person] === 1 && company >= 0) companyBusy[company] = crowd(company) + 1
  }

  function sleep(rank: number, lead: number, code: 'person_busy' | 'company_busy'): void {
    const person = findPerson(rank, lead)
    if (code === 'person_busy') sleepers.add(person, rank, lead)
    else push(openQueue(findCompany(person), rank).asleep, lead, lead, lead)
  }
  function openQueue(company: number, rank: number): Colleagues {
    const byCampaign = colleagues.get(company) ?? new Map<number, Colleagues>()
    colleagues.set(company, byCampaign)
    const queue = byCampaign.get(rank) ?? { asleep: leadQueue(), awake: new Set<number>() }
    byCampaign.set(rank, queue)
    return queue
  }

  function wakePerson(person: number, at: number): void {
    if (rules.one_campaign_at_a_time && busyWith(person) > 0) return
    const due = Math.max(at + 1, restedAt(rules, last_at[person] ?? Number.NEGATIVE_INFINITY))
    sleepers.take(person, (rank, lead) => wake(rank, lead, due))
  }
  /**
   * Companies that may have gained room at `stirred_at` and whose waiting leads have not been woken for it
   * yet.
   */
  const stirred = new Set<number>()
  let stirred_at = Number.POSITIVE_INFINITY
  function stir(company: number, at: number): void {
    if (!colleagues.has(company)) return
    stirred.add(company)
    stirred_at = at
  }
  function settle(before: number): boolean {
    if (stirred_at >= before) return false
    const at = stirred_at
    stirred_at = Number.POSITIVE_INFINITY
    for (const company of stirred) wakeCompany(company, at)
    stirred.clear()
    return true
  }
  function wakeCompany(company: number, at: number): void {
    for (const [rank, { asleep, awake }] of colleagues.get(company) ?? []) {
      while (asleep.size > 0 && awake.size < max - crowd(company)) {
        const lead = headPlace(asleep)
        pop(asleep)
        awake.add(lead)
        wake(rank, lead, at + 1)
      }
    }
  }
  /** A lead that was woken because its company had room did not use that room. */
  function passOn(rank: number, lead: number, at: number): void {
    if (colleagues.size === 0) return
    const company = findCompany(findPerson(rank, lead))
    if (company >= 0 && colleagues.get(company)?.get(rank)?.awake.delete(lead)) stir(company, at)
  }

  function decideHold(rank: number, lead: number, at: number): ContactHold | null {
    const person = findPerson(rank, lead)
    if (person < 0 || campaigns[rank]?.is_free || begun[rank]?.[lead] === 1) return null
    if (rules.one_campaign_at_a_time && busyWith(person) > 0) return PERSON_BUSY
    if (rules.one_campaign_at_a_time || rules.rest_days > 0) {
      const until = restedAt(rules, last_at[person] ?? Number.NEGATIVE_INFINITY)
      if (until > at) return { code: 'resting', until, ask_again_at: until, campaign_id: null }
    }
    const company = findCompany(person)
    if (company < 0 || busyWith(person) > 0 || (left_at[person] === at && leaving_at[company] === at))
      return null
    return crowd(company) + leavingAt(company, at) >= max ? COMPANY_BUSY : null
  }

  const makeGate = (rank: number): ContactGate => ({
    hold(lead, at) {
      const held = decideHold(rank, lead, at)
      if (held?.code === 'company_busy')
        openQueue(findCompany(findPerson(rank, lead)), rank).awake.delete(lead)
      else if (held) passOn(rank, lead, at)
      if (held?.code === 'person_busy' || held?.code === 'company_busy') sleep(rank, lead, held.code)
      // Colleagues whose last step is at this very instant free their room right after it, so check again
      // then.
      if (held?.code === 'company_busy') stir(findCompany(findPerson(rank, lead)), at)
      return held
    },
    acted(lead, at) {
      const person = findPerson(rank, lead)
      if (person < 0) return
      begin(rank, lead, person)
      last_at[person] = at
      if (colleagues.size > 0) colleagues.get(findCompany(person))?.get(rank)?.awake.delete(lead)
    },
    passed: (lead, at) => passOn(rank, lead, at),
    over(lead, at) {
      const person = findPerson(rank, lead)
      if (person < 0 || begun[rank]?.[lead] !== 1) return
      busy[person] = busyWith(person) - 1
      const company = findCompany(person)
      if (busy[person] === 0 && company >= 0) {
        companyBusy[company] = crowd(company) - 1
        leave(company, person, at)
      }
      wakePerson(person, at)
      if (company >= 0) stir(company, at)
    },
  })

  /**
   * Marks the people who have begun as in progress. Leads that were put off keep waiting, unless the reason
   * has ended.
   */
  function start(at: number): void {
    for (const [rank, campaign] of campaigns.entries())
      for (const lead of campaign.begun) if (findPerson(rank, lead) >= 0) enter(findPerson(rank, lead))
    for (const [rank, campaign] of campaigns.entries())
      for (const [lead, code] of campaign.asleep) sleep(rank, lead, code)
    for (let person = -1; person < busy.length; person++) wakePerson(person, at - 1)
    for (const company of colleagues.keys()) wakeCompany(company, at - 1)
  }

  /** How many leads of a campaign wait for something that never ends. */
  const leftAsleep = (rank: number): number =>
    sleepers.count(rank) +
    [...colleagues.values()].reduce((sum, of) => sum + (of.get(rank)?.asleep.size ?? 0), 0)

  return { gates: campaigns.map((_, rank) => makeGate(rank)), start, settle, leftAsleep }
}

function markLeads(count: number, leads: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(count)
  for (const lead of leads) marks[lead] = 1
  return marks
}

/**
 * The leads waiting for each person (−1: person unknown), as linked lists in arrays with one entry per lead;
 * millions of pairs would otherwise be millions of objects.
 */
function chainSleepers(people: number, campaigns: readonly CampaignPeople[]) {
  const from = [0]
  for (const { person_of, asleep } of campaigns) {
    let most = person_of.length
    for (const lead of asleep.keys()) most = Math.max(most, lead + 1)
    from.push((from.at(-1) ?? 0) + most)
  }
  const rank_of = new Uint16Array(from.at(-1) ?? 0)
  for (const rank of campaigns.keys()) rank_of.fill(rank, from[rank], from[rank + 1])
  const next = new Int32Array(rank_of.length)
  const first = new Int32Array(people + 1).fill(-1)

  function add(person: number, rank: number, lead: number): void {
    const place = (from[rank] ?? 0) + lead
    next[place] = first[person + 1] ?? -1
    first[person + 1] = place
  }
  function take(person: number, tell: (rank: number, lead: number) => void): void {
    let place = first[person + 1] ?? -1
    first[person + 1] = -1
    while (place >= 0) {
      const following = next[place] ?? -1
      const rank = rank_of[place] ?? 0
      tell(rank, place - (from[rank] ?? 0))
      place = following
    }
  }
  function count(rank: number): number {
    let sleeping = 0
    for (const head of first)
      for (let place = head; place >= 0; place = next[place] ?? -1) if (rank_of[place] === rank) sleeping++
    return sleeping
  }
  return { add, take, count }
}

const waits = (code: 'person_busy' | 'company_busy'): ContactHold => ({
  code,
  until: Number.POSITIVE_INFINITY,
  ask_again_at: Number.POSITIVE_INFINITY,
  campaign_id: null,
})
const PERSON_BUSY = waits('person_busy')
const COMPANY_BUSY = waits('company_busy')
