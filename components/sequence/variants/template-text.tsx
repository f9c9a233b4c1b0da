'use client'

import { PenLine } from 'lucide-react'
import { Button } from '#components/ui/controls/button'
import type { StepTemplate } from '#lib/contracts/messages/templates'

type Props = { template: StepTemplate | undefined; onCopy: () => void }

/** The chosen template's text, and two ways to change it: for every use, or for this step only. */
export function TemplateText({ template, onCopy }: Props) {
  if (!template)
    return (
      <p className="text-sm text-danger">This template no longer exists. Choose another, or write here.</p>
    )
  const { subject, body } = template.content
  return (
    <section aria-label={`Text of ${template.name}`} className="min-w-0 rounded-sm bg-sunken p-3 text-sm">
      {subject && <p className="mb-1 font-medium wrap-anywhere">{subject}</p>}
      <p className="line-clamp-[12] leading-6 whitespace-pre-wrap wrap-anywhere">{body}</p>
      <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <Button size="sm" onClick={onCopy}>
          <PenLine aria-hidden /> Copy here to edit
        </Button>
        {!template.is_gone && (
          <a
            className="text-accent-text underline"
            href={`/templates/${template.template_id}`}
            target="_blank"
            rel="noreferrer"
          >
            {template.inherited_from ? 'View the template' : 'Edit the template'}
          </a>
        )}
      </p>
    </section>
  )
}
