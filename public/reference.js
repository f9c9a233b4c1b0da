// Its own colours are too pale to read for many, and the arrows of its list too small to hit (WCAG 2.2, 1.4.3 and 2.5.8).
const READABLE = `
  .light-mode {
    --scalar-color-2: #565656;
    --scalar-color-3: #666666;
    --scalar-color-green: #00683f;
    --scalar-color-blue: #005c99;
    --scalar-color-red: #b80000;
    --scalar-color-yellow: #7a5600;
    --scalar-color-orange: #a33500;
    --scalar-color-purple: #5b3fc4;
  }
  .dark-mode {
    --scalar-color-3: #a0a0a0;
    --scalar-color-red: #ff7b7b;
  }
  li[data-sidebar-id] button[aria-expanded] {
    min-width: 24px;
    min-height: 24px;
  }
`

/** Names what is only drawn, and lets a name begin with what is written. */
function nameButtons() {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  // Lists of operations scroll, and hold nothing that takes the focus.
  for (const scroller of document.querySelectorAll('ul[aria-label$="endpoints"]:not([tabindex])'))
    scroller.setAttribute('tabindex', '0')
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) {
    const text = button.textContent.trim()
    const label = button.getAttribute('aria-label')
    if (!label.startsWith(text)) button.setAttribute('aria-label', `${text}: ${label}`)
  }
}
const reference = document.getElementById('reference')
const list = document.querySelector('main')
const REST_MS = 250
const MOST_MS = 4000
let rest
let begun

/** The plain list goes once the reference has stopped growing behind it, or has had time enough. */
function showInTime() {
  if (!list.isConnected || !reference.querySelector('h1')) return
  begun ??= performance.now()
  clearTimeout(rest)
  rest = setTimeout(() => list.remove(), performance.now() - begun < MOST_MS ? REST_MS : 0)
}
new MutationObserver(() => {
  nameButtons()
  showInTime()
}).observe(reference, { childList: true, subtree: true })

// Everything comes from this instance: no fonts, no proxy, nothing counted, nothing asked of anybody else.
const OPTIONS = {
  url: '/api/v1/openapi.json',
  servers: [{ url: location.origin }],
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: false,
  withDefaultFonts: false,
  customCss: READABLE,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

// After the first paint: until the script has been read the list is there to be read, too.
addEventListener('load', () => {
  const script = document.createElement('script')
  script.src = '/vendor/scalar.js'
  script.addEventListener('load', () => window.Scalar.createApiReference(reference, OPTIONS))
  document.head.append(script)
})
