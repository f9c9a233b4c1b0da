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
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) {
    const text = button.textContent.trim()
    const label = button.getAttribute('aria-label')
    if (!label.startsWith(text)) button.setAttribute('aria-label', `${text}: ${label}`)
  }
}
new MutationObserver(nameButtons).observe(document.getElementById('reference'), {
  childList: true,
  subtree: true,
})

// Everything comes from this instance: no fonts, no proxy, nothing counted, nothing asked of anybody else.
Scalar.createApiReference('#reference', {
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
})
