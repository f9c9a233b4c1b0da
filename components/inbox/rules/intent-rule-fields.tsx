'use client'

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { Badge } from '#components/ui/feedback/badge'
import type { IntentRule } from '#lib/contracts/inbox/intent-rules'
import { capital } from '#lib/domain/text/capital'
import { INTENT_LOOKS } from '../looks.tsx'

type Person = { user_id: string; name: string }
export type RuleChoices = {
  campaigns: { campaign_id: string; name: string }[]
  /** Members who may reply, and those who may be notified. */
  assignees: Person[]
  members: Person[]
}

type Props = { name: string; rule: IntentRule; isCampaign: boolean; choices: RuleChoices }

const toOption = ({ user_id, name }: Person): Option => ({ value: user_id, label: name })

/** The rule of one intent: its effect on the lead and on the conversation. */
export function IntentRuleFields({ name, rule, isCampaign, choices }: Props) {
  const { intent, from } = rule
  const isOwn = !isCampaign || from === 'campaign'
  const [does, setDoes] = useState<string>(isOwn ? rule.does : '')
  const { tone, label } = INTENT_LOOKS[intent]
  return (
    <fieldset className="grid min-w-0 gap-3 py-4 first:pt-0 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <legend className="sr-only">{label}</legend>
      <input type="hidden" name={`${name}.intent`} value={intent} />
      <div aria-hidden className="pt-1">
        <Badge tone={tone}>{label}</Badge>
      </div>
      <div className="grid min-w-0 gap-3">
        <div className="grid min-w-0 gap-3 sm:grid-cols-2">
          <Field label="Then" name={`${name}.does`}>
            <Select
              value={does}
              onChange={(event) => setDoes(event.target.value)}
              options={effectOptions(rule, isCampaign)}
            />
          </Field>
          {does === 'hold' && (
            <Field
              label="Days"
              name={`${name}.hold_days`}
              hint={intent === 'later' ? 'Used if the reply gives no date. Leave empty to stop.' : undefined}
            >
              <Input type="number" min={1} max={365} defaultValue={rule.hold_days ?? ''} />
            </Field>
          )}
          {does === 'branch' && (
            <Field label="Campaign" name={`${name}.branch_campaign_id`}>
              <Select
                placeholder="Choose one"
                defaultValue={rule.branch_campaign_id ?? ''}
                options={choices.campaigns.map(({ campaign_id, name }) => ({
                  value: campaign_id,
                  label: name,
                }))}
              />
            </Field>
          )}
        </div>
        {does !== '' && <Conversation name={name} rule={rule} choices={choices} />}
      </div>
    </fieldset>
  )
}

function effectOptions({ intent, from, does }: IntentRule, isCampaign: boolean): Option[] {
  const words: Record<IntentRule['does'], string> = {
    end: 'Stop contacting them',
    hold: intent === 'later' ? 'Wait until the date they give' : 'Wait, then continue',
    branch: 'Stop, and add them to another campaign',
  }
  const options = (['end', 'hold', 'branch'] as const).map((value) => ({ value, label: words[value] }))
  const usual = from === 'campaign' ? 'Workspace default' : `Workspace default: ${words[does].toLowerCase()}`
  return isCampaign ? [{ value: '', label: usual }, ...options] : options
}

function Conversation({ name, rule, choices }: Omit<Props, 'isCampaign'>) {
  return (
    <details className="group">
      <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 rounded-xs text-sm text-muted">
        <ChevronRight aria-hidden className="size-4 group-open:rotate-90" />
        {conversationWords(rule, choices)}
      </summary>
      <div className="mt-3 grid min-w-0 gap-3 sm:grid-cols-2">
        <Field label="Assign to" name={`${name}.assignee_id`}>
          <Select
            placeholder="Nobody"
            defaultValue={rule.assignee_id ?? ''}
            options={choices.assignees.map(toOption)}
          />
        </Field>
        <Field label="Label" name={`${name}.label`}>
          <Input maxLength={50} defaultValue={rule.label ?? ''} />
        </Field>
        <fieldset className="flex flex-wrap gap-x-5 gap-y-1 sm:col-span-2">
          <legend className="mb-1 text-sm font-medium">Notify</legend>
          {choices.members.map(({ user_id, name: who }) => (
            <Checkbox
              key={user_id}
              name={`${name}.notify_ids`}
              value={user_id}
              defaultChecked={rule.notify_ids.includes(user_id)}
              label={who}
            />
          ))}
        </fieldset>
      </div>
    </details>
  )
}

/** Summary of the settings, shown while collapsed. */
function conversationWords({ assignee_id, label, notify_ids }: IntentRule, choices: RuleChoices): string {
  const assignee = choices.assignees.find(({ user_id }) => user_id === assignee_id)
  const notified = choices.members.filter(({ user_id }) => notify_ids.includes(user_id))
  const parts = [
    assignee && `assigned to ${assignee.name}`,
    label && `labelled “${label}”`,
    notified.length > 0 && `${notified.map((one) => one.name).join(', ')} notified`,
  ].filter((part) => typeof part === 'string' && part !== '')
  if (parts.length === 0) return 'Assign, label, notify'
  const words = parts.join(', ')
  return capital(words)
}
