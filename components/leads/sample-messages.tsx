'use client'

import { useEffect, useMemo, useState } from 'react'
import { PreviewPane, type StepRendered } from '#components/step-previews/preview-pane'
import { TestSend } from '#components/step-previews/test-send'
import type { FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Select } from '#components/ui/controls/select'
import { Panel } from '#components/ui/layout/panel'

type Sample = { step: number; label: string; isMail: boolean }
type Props = {
  campaign_id: string
  /** Identifies the saved state; read marks of another state do not count. */
  version: string
  samples: Sample[]
  leads: number
  render: (step: number, lead_index: number) => Promise<StepRendered>
  sendTest: FormAction
}

/** What real leads would receive, step by step, with a personal "read" mark that stays in this browser. */
export function SampleMessages({ campaign_id, version, samples, leads, render, sendTest }: Props) {
  const [step, setStep] = useState(samples[0]?.step ?? 1)
  const [lead, setLead] = useState(0)
  const [read, setRead] = useState<number[]>([])
  const key = `read:${campaign_id}`
  const renderLead = useMemo(() => (lead_index: number) => render(step, lead_index), [render, step])
  const chosen = samples.find((sample) => sample.step === step)

  useEffect(() => setRead(stored(key, version)), [key, version])
  function mark(isRead: boolean) {
    const marked = isRead ? [...read, step] : read.filter((one) => one !== step)
    setRead(marked)
    try {
      localStorage.setItem(key, JSON.stringify({ version, steps: marked }))
    } catch {
      // If the browser refuses storage, the mark lasts until the page is left.
    }
  }

  return (
    <Panel
      title="Sample messages"
      description={`${read.length} of ${samples.length} ${samples.length === 1 ? 'step' : 'steps'} reviewed`}
      action={
        <Select
          aria-label="Step to preview"
          value={String(step)}
          onChange={(event) => setStep(Number(event.target.value))}
          options={samples.map((sample) => ({
            value: String(sample.step),
            label: `${sample.label}${read.includes(sample.step) ? ', reviewed' : ''}`,
          }))}
        />
      }
    >
      <PreviewPane
        key={step}
        title={chosen?.label ?? `Step ${step}`}
        lead={lead}
        leads={leads}
        onLead={setLead}
        render={renderLead}
      />
      <Checkbox
        className="mt-3"
        label={`Step ${step} is reviewed`}
        checked={read.includes(step)}
        onChange={(event) => mark(event.target.checked)}
      />
      {chosen?.isMail && (
        <TestSend key={`test ${step}`} step={step} lead={lead} variant={null} isSaved send={sendTest} />
      )}
    </Panel>
  )
}

function stored(key: string, version: string): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('version' in kept) || kept.version !== version)
      return []
    return 'steps' in kept && Array.isArray(kept.steps)
      ? kept.steps.filter((one) => typeof one === 'number')
      : []
  } catch {
    return []
  }
}
