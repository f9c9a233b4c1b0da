import { Button } from '#components/ui/controls/button'
import { wayBackHere } from '../shell/way-back.ts'
import type { RowProblem } from './use-row-pages.tsx'

/** Why visible rows could not be loaded, with a button to retry. */
export function RowProblemLine({ problem, retry }: { problem: RowProblem; retry: () => void }) {
  if (problem === null) return null
  return (
    <div role="alert" className="flex items-center gap-3 border-t border-border px-4 py-2 text-sm">
      <p className="text-danger">
        {problem === 'signed_out'
          ? 'You are signed out, so no more rows can be loaded.'
          : 'The rows could not be loaded. Nothing is lost.'}
      </p>
      {problem === 'signed_out' ? (
        <a href={wayBackHere()} className="font-medium underline">
          Sign in
        </a>
      ) : (
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
