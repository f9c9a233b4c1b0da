import type { Page } from '@playwright/test'

const KEY = 'key '
/** Until what was opened has come in, with what it asks the server for. */
const REST_MS = 600

/** Presses and clicks what leads to an overlay: see OVERLAYS. */
export async function openOver(page: Page, by: string[]): Promise<void> {
  for (const name of by) {
    if (name.startsWith(KEY)) await page.keyboard.press(name.slice(KEY.length))
    else {
      const options = { name: new RegExp(`^${name}`) }
      const found = (['button', 'menuitem', 'checkbox'] as const)
        .map((role) => page.getByRole(role, options))
        .reduce((some, other) => some.or(other))
      await found.filter({ visible: true }).first().click({ timeout: 60_000 })
    }
    await page.waitForTimeout(REST_MS)
  }
}
