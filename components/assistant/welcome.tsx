import { clsx } from 'clsx'
import { ArrowUpRight } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { startersFor } from './starters.tsx'
import type { Token } from './talk-message.tsx'
import { useStanding } from './use-standing.tsx'

type Props = { say: (words: string) => void; token: Token }

/** Shown before the first message: what can be asked on this page. */
export function Welcome({ say, token }: Props) {
  const campaignId = /^\/campaigns\/([0-9a-f-]{36})/.exec(usePathname())?.[1]
  const standing = useStanding(campaignId, token)
  const starters = startersFor(campaignId === undefined ? null : { standing: standing ?? null })
  // The suggestions depend on the campaign's status, so wait for it rather than change them a moment later.
  const isRead = campaignId === undefined || standing !== undefined
  return (
    <div className="mt-auto w-full pt-6 pb-1">
      <p className="text-lg font-semibold">What would you like to know?</p>
      <p className="mt-1 text-pretty text-muted">
        Ask why a campaign is not sending, for a forecast, or for a change. Nothing is changed or sent until
        you approve it.
      </p>
      <ul
        aria-label="Suggestions"
        className={clsx(
          'mt-4 divide-y divide-border overflow-hidden rounded-md border border-border',
          !isRead && 'invisible',
        )}
      >
        {starters.map(({ icon: Icon, words }) => (
          <li key={words}>
            <button
              type="button"
              onClick={() => say(words)}
              className="group flex min-h-10 w-full items-center gap-3 px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">{words}</span>
              <ArrowUpRight
                aria-hidden
                className="size-4 shrink-0 text-muted opacity-0 group-hover:opacity-100"
              />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
