'use client'

import { useCallback, useState } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SequenceProps } from '../sequence/editor-props.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { TestSend } from './test-send.tsx'

type Props = {
  props: Pick<SequenceProps, 'render' | 'rendered' | 'leads' | 'sendTest'>
  step: StepConfig
  steps: StepConfig[]
  account_id: string | null
  variant: string | null
  isSaved: boolean
}

/** The selected step as edited, for a real lead, with a button to send it to oneself. */
export function PreviewSide({ props, step, steps, account_id, variant, isSaved }: Props) {
  const { render, rendered, leads, sendTest } = props
  const [lead, setLead] = useState(0)
  const number = step.step
  const renderOpen = useCallback(
    (lead_index: number) =>
      render({ steps, step: number, variant, lead_index, connected_account_id: account_id }),
    [render, steps, number, variant, account_id],
  )
  return (
    <>
      <PreviewPane
        title={`Step ${number}${variant ? `, variant ${variant}` : ''}`}
        leads={leads}
        lead={lead}
        onLead={setLead}
        render={renderOpen}
        first={rendered}
      />
      {step.channel === 'email' && (
        <TestSend step={number} lead={lead} variant={variant} isSaved={isSaved} send={sendTest} />
      )}
    </>
  )
}
