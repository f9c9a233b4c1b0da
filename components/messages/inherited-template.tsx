'use client'

import { useCallback } from 'react'
import { Callout } from '#components/ui/feedback/callout'
import type { Template } from '#lib/contracts/messages/templates'
import { MessagePreview, type RenderMessage } from './message-preview.tsx'

type Props = { template: Template; parent: string; render: RenderMessage; leads: number }

/** A parent workspace's template, which can be read, previewed and copied. */
export function InheritedTemplate({ template, parent, render, leads }: Props) {
  const { content } = template
  const renderLead = useCallback((lead: number) => render(content, lead), [render, content])
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 content-start gap-4">
        <Callout>From {parent}. Edit it there. Drafts follow; launched campaigns keep their text.</Callout>
        <dl className="grid gap-4 text-sm">
          <div>
            <dt className="mb-1 font-medium">Subject</dt>
            <dd className="text-muted wrap-anywhere">{content.subject || '(no subject)'}</dd>
          </div>
          <div>
            <dt className="mb-1 font-medium">Message</dt>
            <dd className="rounded-sm border border-border bg-sunken p-3 font-mono leading-6 whitespace-pre-wrap wrap-anywhere">
              {content.body}
            </dd>
          </div>
        </dl>
      </div>
      <div className="lg:sticky lg:top-4 lg:self-start">
        <MessagePreview render={renderLead} leads={leads} />
      </div>
    </div>
  )
}
