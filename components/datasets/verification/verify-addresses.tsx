'use client'

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { ActingButton } from '#components/ui/controls/lock'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { EnrichmentProviderView } from '#lib/contracts/enrichment/dataset-sessions'
import { ProviderFields } from './provider-fields.tsx'

type Props = {
  providers: EnrichmentProviderView[]
  verify: FormAction
  is_busy: boolean
  isAnew: boolean
}

export function VerifyAddresses({ providers, verify, is_busy, isAnew }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <ActingButton
        variant={isAnew ? 'secondary' : 'primary'}
        aria-disabled={is_busy}
        onClick={() => setOpen(true)}
      >
        <ShieldCheck aria-hidden /> {isAnew ? 'Verify again' : 'Verify addresses'}
      </ActingButton>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Verify addresses"
        description="Checks syntax, disposable and team addresses, and the mail servers of each domain. No email is sent."
      >
        <ActionForm action={verify} onDone={close} className="grid gap-4">
          <ProviderFields providers={providers} legend="Verification services for unknown addresses" />
          <Checkbox
            name="recheck"
            label="Verify again if verified in the last 30 days"
            hint="If off, earlier results are used and cost nothing."
          />
          <DialogActions>
            <SubmitButton>Verify</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
