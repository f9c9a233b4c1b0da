'use client'

import { Play, RotateCcw, ShieldOff, Square } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState, useTransition } from 'react'
import { useKeptSelection } from '#components/lists/kept-selection'
import { SelectAll } from '#components/lists/select-all'
import { SelectionBar, UNDO_MS } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import type { Confirmation } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'
import type { Output } from '#lib/contracts/contract'
import type { StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { type TickedLead, TickedLeads } from './lead-tick.tsx'
import { WHY_UNCHANGED } from './lead-words.tsx'

const ConfirmDialog = dynamic(
  () => import('#components/ui/overlays/confirm-dialog').then((module) => module.ConfirmDialog),
  { loading: () => null },
)

type Answer = Output<typeof StopCampaignLeads>
export type LeadActs = {
  stop: (campaign_lead_ids: string[]) => Promise<Answer>
  takeBack: (campaign_lead_ids: string[]) => Promise<Answer>
  retry: (campaign_lead_ids: string[]) => Promise<Answer>
  suppress: (campaign_lead_ids: string[]) => Promise<{ added: number; leads_ended: number }>
  /** Loads all leads of the list, including those not scrolled to. */
  all: () => Promise<{ leads: TickedLead[]; total: number }>
  /** Most leads per request. */
  most: number
}

type Props = { acts: LeadActs; total: number; children: ReactNode }

const LOST = 'The server could not be reached. Reload to see which leads were changed.'
const FOREVER = { duration: Number.POSITIVE_INFINITY }
const leadIds = (leads: TickedLead[]) => leads.map(({ campaign_lead_id }) => campaign_lead_id)

/** Stops, resumes, retries or suppresses the selected leads; the toast of a stop offers undo. */
export function LeadSelection({ acts, total, children }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const { rows, place, clear, replace } = useKeptSelection(TickedLeads, acts.most)
  const waiting = rows.filter(({ status }) => status === 'pending' || status === 'active')
  const stopped = rows.filter(({ status, last_event }) => status === 'skipped' && last_event === 'stopped')
  const failed = rows.filter(({ status }) => status === 'failed')
  const addresses = new Set(rows.flatMap(({ email }) => email ?? []))

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, FOREVER)))
  }

  const { takeBack, retry, stop, suppress, selectAll } = leadActs(acts, attempt, clear, replace)

  return (
    <>
      {place(children)}
      <SelectionBar label="Selected leads" count={rows.length} clear={clear}>
        <SelectAll
          count={rows.length}
          total={total}
          most={acts.most}
          isBusy={isPending}
          onClick={selectAll}
        />
        {stopped.length > 0 && (
          <Button size="sm" aria-busy={isPending} onClick={() => takeBack(leadIds(stopped))}>
            <Play aria-hidden /> Resume {stopped.length}
          </Button>
        )}
        {failed.length > 0 && (
          <Button size="sm" aria-busy={isPending} onClick={() => retry(leadIds(failed))}>
            <RotateCcw aria-hidden /> Try {failed.length} again
          </Button>
        )}
        {waiting.length > 0 && (
          <Button size="sm" aria-busy={isPending} onClick={() => stop(waiting)}>
            <Square aria-hidden /> Stop {waiting.length}
          </Button>
        )}
        {addresses.size > 0 && (
          <Button size="sm" aria-busy={isPending} onClick={() => setAsked(buildConfirmation([...addresses]))}>
            <ShieldOff aria-hidden /> Suppress {addresses.size}
          </Button>
        )}
      </SelectionBar>
      {asked && (
        <ConfirmDialog confirmation={asked} onConfirm={() => suppress(rows)} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

/** The actions for leads; each reports its result and clears the selection it was applied to. */
function leadActs(
  acts: LeadActs,
  attempt: (work: () => Promise<void>) => void,
  clear: () => void,
  replace: (all: [id: string, row: TickedLead][]) => void,
) {
  const takeBack = (ids: string[]) =>
    attempt(async () => {
      const { changed, unchanged } = await acts.takeBack(ids)
      if (changed.length > 0) toast.success(`${counted(changed.length, 'leads')} resumed.`)
      tellUnchanged('stays stopped', 'stay stopped', unchanged)
      clear()
    })

  const retry = (ids: string[]) =>
    attempt(async () => {
      const { changed, unchanged } = await acts.retry(ids)
      if (changed.length > 0)
        toast.success(
          `${counted(changed.length, 'leads')} ${changed.length === 1 ? 'is' : 'are'} tried again.`,
        )
      tellUnchanged('will not be retried', 'will not be retried', unchanged)
      clear()
    })

  const stop = (waiting: TickedLead[]) =>
    attempt(async () => {
      const { changed, unchanged } = await acts.stop(leadIds(waiting))
      if (changed.length > 0)
        toast.success(`${counted(changed.length, 'leads')} stopped.`, {
          duration: UNDO_MS,
          action: { label: 'Undo', onClick: () => takeBack(changed) },
        })
      tellUnchanged('was not stopped', 'were not stopped', unchanged)
      clear()
    })

  const suppress = (rows: TickedLead[]) =>
    attempt(async () => {
      const { added, leads_ended } = await acts.suppress(leadIds(rows.filter(({ email }) => email)))
      const listed =
        added === 1 ? '1 address suppressed' : `${added.toLocaleString('en')} addresses suppressed`
      toast.success(`${listed}, ${counted(leads_ended, 'leads')} ended.`)
      clear()
    })

  const selectAll = () =>
    attempt(async () => {
      const { leads, total: matching } = await acts.all()
      replace(leads.map((lead) => [lead.campaign_lead_id, lead]))
      if (matching > leads.length)
        toast(
          `The first ${leads.length.toLocaleString('en')} of ${matching.toLocaleString('en')} are selected.`,
        )
    })
  return { takeBack, retry, stop, suppress, selectAll }
}

/** Reports each reason once, with the number of leads left unchanged. */
function tellUnchanged(one: string, many: string, unchanged: Answer['unchanged']) {
  if (unchanged.length === 0) return
  const why = [...Map.groupBy(unchanged, ({ reason }) => reason)].map(
    ([reason, leads]) =>
      `${unchanged.length > leads.length ? `${leads.length} ` : ''}${WHY_UNCHANGED[reason]}`,
  )
  toast.error(
    `${counted(unchanged.length, 'leads')} ${unchanged.length === 1 ? one : many}: ${why.join(', ')}.`,
    FOREVER,
  )
}

function buildConfirmation(addresses: string[]): Confirmation {
  const [first] = addresses
  const count = addresses.length
  return {
    title: count === 1 ? `Suppress ${first}?` : `Suppress these ${count.toLocaleString('en')} addresses?`,
    description: `Every lead of ${count === 1 ? 'this address' : 'theirs'} that is waiting ends, in all campaigns, and later campaigns skip ${count === 1 ? 'it' : 'them'}. You can remove addresses from the list later, but ended leads stay ended.`,
    label: `Suppress ${count.toLocaleString('en')}`,
    danger: true,
  }
}
