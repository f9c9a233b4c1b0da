import { countSamples } from '#lib/services/sandbox/removal'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { SampleButton } from './sample-button.tsx'

/**
 * Offers sample results on a page that is empty until something is sent, if there is a sandbox and no sample
 * yet.
 */
export async function SampleResults({ workspaceId }: { workspaceId: string }) {
  if (!hasSandbox() || (await countSamples(workspaceId)) > 0) return null
  return <SampleButton kind="history" variant="secondary" />
}

/** For a new workspace: sample results, or a sample campaign to launch. */
export const SampleStart = ({ workspaceId }: { workspaceId: string }) => (
  <>
    <SampleResults workspaceId={workspaceId} />
    <SampleButton kind="campaign" />
  </>
)
