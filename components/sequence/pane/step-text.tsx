'use client'

import { BookmarkPlus, Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useId, useRef, useState } from 'react'
import { MessageFields } from '#components/messages/message-fields'
import { Button } from '#components/ui/controls/button'
import type { Variant } from '#lib/contracts/campaigns/steps'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { needsText, takesText } from '#lib/domain/campaigns/social-step'
import { textRoom } from '../accounts.tsx'
import { percents } from '../steps.tsx'
import {
  MOST_VARIANTS,
  messageIn,
  shownVariant,
  withCopied,
  withMessage,
  withPart,
  withTemplate,
  withVariant,
} from '../variants/words.tsx'
import type { PaneProps } from './pane-props.tsx'

/** Loaded on demand: the page's script budget is tight. */
const SourceFields = dynamic(
  () => import('../variants/source-fields.tsx').then((module) => module.SourceFields),
  { loading: () => null },
)
const VariantTabs = dynamic(
  () => import('../variants/variant-tabs.tsx').then((module) => module.VariantTabs),
  { loading: () => null },
)
const VariantOptions = dynamic(
  () => import('../variants/variant-options.tsx').then((module) => module.VariantOptions),
  { loading: () => null },
)
const TemplateText = dynamic(
  () => import('../variants/template-text.tsx').then((module) => module.TemplateText),
  { loading: () => null },
)
const KeepTemplate = dynamic(
  () => import('../variants/keep-template.tsx').then((module) => module.KeepTemplate),
  { loading: () => null },
)

/** The text of a step, or of each variant in a tab. Renders nothing for steps without text. */
export function StepText(props: PaneProps) {
  const { saved, problems, isFixed, onChange, onShowVariant } = props
  const id = useId()
  const words = useRef<HTMLDivElement>(null)
  if (props.step.channel !== 'email' && !takesText(props.step.action_type))
    return <p className="text-sm text-muted">This action has no text.</p>
  // Until edited, shares are shown as effective percentages, however they are stored.
  const isUntouched = JSON.stringify(props.step.variants) === JSON.stringify(saved?.variants)
  const step = isUntouched ? { ...props.step, variants: percents(props.step.variants) } : props.step
  const { variants } = step
  const shown = shownVariant(step, props.shownVariant)
  const ids = { tab: (label: string) => `${id}-tab-${label}`, panel: `${id}-panel` }
  const isTabbed = shown !== undefined && variants.length > 1
  // The pressed button disappears, so the new text gets the focus.
  const add = () => {
    words.current?.focus()
    const added = withVariant(step, shown?.label ?? null)
    onChange(added.step)
    onShowVariant(added.label)
  }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      {isTabbed && (
        <VariantTabs
          variants={variants}
          shown={shown.label}
          wrong={variants.flatMap(({ label }, index) => (isWrong(problems, index) ? [label] : []))}
          ids={ids}
          onShow={onShowVariant}
          onAdd={isFixed || variants.length >= MOST_VARIANTS ? null : add}
        />
      )}
      <div
        {...(isTabbed && { role: 'tabpanel', id: ids.panel, 'aria-labelledby': ids.tab(shown.label) })}
        ref={words}
        tabIndex={-1}
        className="min-w-0 focus-visible:outline-none"
      >
        <fieldset disabled={isFixed} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          <legend className="sr-only">Text</legend>
          <Words key={shown?.label} {...props} step={step} variant={shown} onAdd={isTabbed ? null : add} />
          {shown && (
            <VariantOptions
              {...{ step, variants, shown, onChange }}
              weightsProblem={problems.weights}
              onRemove={() => words.current?.focus()}
            />
          )}
        </fieldset>
      </div>
    </div>
  )
}

const isWrong = (problems: PaneProps['problems'], index: number) =>
  Object.keys(problems).some((control) => control.startsWith(`variants.${index}.`))

type WordsProps = PaneProps & { variant: Variant | undefined; onAdd: (() => void) | null }

/** A text from a template, or written here. */
function Words(props: WordsProps) {
  const { step, variant, templates, profiles, onChange, onAdd } = props
  const label = variant?.label
  const template = templates.find(({ template_id }) => template_id === variant?.template_id)
  return (
    <>
      {templates.length + profiles.length > 0 && (
        <SourceFields
          variant={variant}
          templates={templates}
          profiles={profiles}
          onTemplate={(chosen) => onChange(withTemplate(step, label, chosen, templates))}
          onProfile={(sender_profile_id) => onChange(withPart(step, label, { sender_profile_id }))}
        />
      )}
      {variant?.template_id ? (
        <TemplateText
          template={template}
          onCopy={() => template && onChange(withCopied(step, label, template.content))}
        />
      ) : (
        <Written {...props} />
      )}
      <p className="flex flex-wrap gap-2 empty:hidden">
        {onAdd && (
          <Button size="sm" onClick={onAdd}>
            <Plus aria-hidden /> Add a variant
          </Button>
        )}
        {!variant?.template_id && <Keep {...props} />}
      </p>
    </>
  )
}

function Written(props: WordsProps) {
  const { step, variant, problems, fields, isFixed, onChange } = props
  const isMail = step.channel === 'email'
  const at = variant ? `variants.${step.variants.indexOf(variant)}.` : ''
  const message = messageIn(step, variant)
  return (
    <MessageFields
      message={message}
      onChange={(written) => onChange(withMessage(step, variant?.label, written))}
      fields={fields}
      canBeRich={isMail}
      subject={isMail || stepAction(step) === 'inmail'}
      subjectHint={isMail && step.step > 1 ? 'Empty: replies in the thread, as “Re: …”.' : undefined}
      bodyLabel={LABELS[stepAction(step)] ?? 'Message'}
      bodyHint={<Counter {...props} text={message.body} />}
      errors={{ subject: problems[`${at}subject`], body: problems[`${at}message_template`] }}
      disabled={isFixed}
    />
  )
}

function Keep({ step, variant, keepTemplate }: WordsProps) {
  const [isOpen, setOpen] = useState(false)
  const message = messageIn(step, variant)
  if (!message.body.trim()) return null
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        <BookmarkPlus aria-hidden /> Save as template
      </Button>
      {isOpen && (
        <KeepTemplate
          message={message}
          name={message.subject.trim() || `Step ${step.step}`}
          keep={keepTemplate}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

const LABELS: Record<string, string> = { connection_request: 'Note', comment_post: 'Comment' }

/** Characters used and allowed; with merge fields the preview counts per lead. */
function Counter({ step, acting, text }: PaneProps & { text: string }) {
  const room = textRoom(stepAction(step), acting)
  if (!room) return null
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      <span>
        {needsText(stepAction(step)) ? '' : 'Optional. '}
        {text.includes('{') ? 'Merge fields count as filled in.' : ''}
      </span>
      <span className={text.length > room.text ? 'text-danger' : undefined}>
        {text.length} / {room.text}
      </span>
    </span>
  )
}
