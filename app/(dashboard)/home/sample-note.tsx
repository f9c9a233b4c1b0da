import { ActionButton } from '#components/ui/controls/action-button'
import { LinkButton } from '#components/ui/controls/link-button'
import { LockProvider } from '#components/ui/controls/lock'
import { Panel } from '#components/ui/layout/panel'
import { RemoveSamples } from '#lib/contracts/sandbox/samples'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { removeSampleData } from '../samples/actions.ts'
import { findLock } from '../section-lock.tsx'

/** Shown as long as there is sample data. */
export async function SampleNote() {
  const lock = await findLock(RemoveSamples)
  return (
    <Panel
      title="This account has sample data"
      description="Everyone in it is made up. Removing it keeps everything you created yourself."
      action={
        <>
          {hasSandbox() && <LinkButton href="/sandbox/mail">See its mail</LinkButton>}
          <LockProvider lock={lock}>
            <ActionButton
              act={removeSampleData}
              confirm={{
                title: 'Remove the sample data?',
                description:
                  'Sample campaigns are stopped and deleted, with their leads, messages, replies, texts and mailbox.',
                label: 'Remove sample data',
                danger: true,
              }}
            >
              Remove sample data
            </ActionButton>
          </LockProvider>
        </>
      }
    />
  )
}
