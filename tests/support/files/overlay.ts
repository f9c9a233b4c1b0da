import type { Page, Request } from '@playwright/test'

const KEY = 'key '
/** How often the page is checked for what was opened, and how many checks are made at most. */
const LOOK_MS = 60
const MOST_LOOKS = 20
/** This many checks in a row without pending requests or animations end the wait: content may be drawn a while after it was fetched. */
const QUIET_LOOKS = 4

/** Presses the keys and clicks the elements that lead to an overlay: see OVERLAYS. */
export async function openOver(page: Page, by: string[]): Promise<void> {
  const asked = new Set<Request>()
  const begins = (request: Request) => void asked.add(request)
  const ends = (request: Request) => void asked.delete(request)
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends)
  for (const name of by) {
    if (name.startsWith(KEY)) await page.keyboard.press(name.slice(KEY.length))
    else {
      const options = { name: new RegExp(`^${name}`) }
      const found = (['button', 'menuitem', 'checkbox'] as const)
        .map((role) => page.getByRole(role, options))
        .reduce((some, other) => some.or(other))
      await found.filter({ visible: true }).first().click({ timeout: 60_000 })
    }
    await arrival(page, asked)
  }
  page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends)
}

/** Waits until what was opened is drawn and its requests have ended. */
async function arrival(page: Page, asked: Set<Request>) {
  for (let looks = 0, quiet = 0; looks < MOST_LOOKS && quiet < QUIET_LOOKS; looks++) {
    await page.waitForTimeout(LOOK_MS)
    const moves = await page.evaluate(async () => {
      await new Promise((idle) => requestIdleCallback(idle, { timeout: 500 }))
      // An endless animation (a pulse) does not count as movement.
      return document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        )
    })
    quiet = moves || asked.size > 0 ? 0 : quiet + 1
  }
}
