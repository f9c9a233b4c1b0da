export type Theme = 'system' | 'light' | 'dark'

/** Fired on the document when the theme changes, wherever that was done. */
export const THEME_CHOSEN = 'opener:theme'

export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset.theme
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Sets the cookie that the server reads for the first paint, and switches the page at once. */
export function chooseTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
  document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`
  document.dispatchEvent(new Event(THEME_CHOSEN))
}

/** Switches between light and dark, also if the system's theme is used. */
export function toggleTheme(): void {
  const chosen = chosenTheme()
  const isDark =
    chosen === 'system' ? window.matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  chooseTheme(isDark ? 'light' : 'dark')
}
