import type { Page } from '@playwright/test'

/** The labels of visible buttons with the colour of the main action; a dialog has its own. */
export const mainButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.background = 'var(--color-accent)'
    const accent = getComputedStyle(probe).backgroundColor
    probe.remove()
    return [...document.querySelectorAll('a.select-none, button.select-none')]
      .filter((one) => one.checkVisibility() && !one.closest('dialog'))
      .filter((one) => getComputedStyle(one).backgroundColor === accent)
      .map((one) => (one.textContent ?? '').trim())
  })
