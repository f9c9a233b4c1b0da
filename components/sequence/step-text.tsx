'use client'

import dynamic from 'next/dynamic'
import { MessageFields } from '#components/messages/message-fields'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { needsText, takesText } from '#lib/domain/campaigns/social-step'
import { textRoom } from './accounts.tsx'
import type { PaneProps } from './pane-props.tsx'
import { percents, withVariant } from './steps.tsx'

/** Loaded by steps that have variants alone: the page's script is at its limit. */
const VariantList = dynamic(() => import('./variant-list.tsx').then((module) => module.VariantList))

/** The words of a step: written here, or in templates as variants. Nothing for what says nothing. */
export function StepText(props: PaneProps) {
  const { step, saved, problems, templates, profiles, fields, onChange } = props
  const isMail = step.channel === 'email'
  if (!isMail && !takesText(step.action_type))
    return <p className="text-sm text-muted">This action has no text.</p>
  const usesTemplates = step.variants.length > 0
  const isUntouched = JSON.stringify(step.variants) === JSON.stringify(saved?.variants)
  return (
    <>
      <SegmentedControl
        legend="Where the text comes from"
        name={`source-${step.step}`}
        value={usesTemplates ? 'templates' : 'inline'}
        options={[
          { value: 'inline', label: 'Written here' },
          { value: 'templates', label: 'Templates & variants' },
        ]}
        onChange={(source) =>
          onChange({
            ...step,
            variants: source === 'inline' ? [] : withVariant([], templates[0]?.template_id ?? null),
          })
        }
      />
      {usesTemplates ? (
        <VariantList
          // Until a hand changes them, the shares are shown as they work, whatever numbers they are kept in.
          variants={isUntouched ? percents(step.variants) : step.variants}
          templates={templates}
          profiles={profiles}
          shown={props.shownVariant}
          weightsProblem={problems.weights}
          onChange={(variants) => onChange({ ...step, variants })}
          onShow={props.onShowVariant}
        />
      ) : (
        <MessageFields
          message={{ subject: step.subject ?? '', body: step.message_template ?? '' }}
          onChange={({ subject, body }) =>
            onChange({ ...step, subject: subject || null, message_template: body })
          }
          fields={fields}
          canBeRich={isMail}
          subject={isMail || stepAction(step) === 'inmail'}
          subjectHint={isMail && step.step > 1 ? 'Empty: it answers in the thread, as “Re: …”.' : undefined}
          bodyLabel={LABELS[stepAction(step)] ?? 'Message'}
          bodyHint={<Counter {...props} />}
          errors={{ subject: problems.subject, body: problems.message_template }}
          disabled={props.isFixed}
        />
      )}
    </>
  )
}

const LABELS: Record<string, string> = { connection_request: 'Note', comment_post: 'Comment' }

/** Characters written and taken; with merge fields the preview counts what a lead really gets. */
function Counter({ step, acting }: PaneProps) {
  const room = textRoom(stepAction(step), acting)
  if (!room) return null
  const used = step.message_template?.length ?? 0
  const isOver = used > room.text
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      <span>
        {needsText(stepAction(step)) ? '' : 'May stay empty. '}
        {step.message_template?.includes('{') ? 'Merge fields count as what they become.' : ''}
      </span>
      <span className={isOver ? 'text-danger' : undefined}>
        {used} / {room.text}
      </span>
    </span>
  )
}
