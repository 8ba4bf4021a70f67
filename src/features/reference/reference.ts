import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'

/** The page at /api/v1/docs: Swagger UI for the site's OpenAPI document. */
const root = document.getElementById('reference')
if (!root) throw new Error('The page has no element #reference.')

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** Sets the light or dark mode of Swagger UI to match the theme. */
function applyTheme(): void {
  const { theme, scheme } = document.documentElement.dataset
  // Both themes are dark.
  const isDark = theme !== undefined || (scheme === undefined ? prefersDark.matches : scheme === 'dark')
  document.documentElement.classList.toggle('dark-mode', isDark)
}

applyTheme()
prefersDark.addEventListener('change', applyTheme)

/** Labels the fields that Swagger UI leaves unlabeled. */
function labelFields(): void {
  for (const field of document.querySelectorAll(
    ':is(select, textarea):not([aria-label], [aria-labelledby])',
  )) {
    const name = field.id === 'servers' ? 'Server' : field.matches('textarea') ? 'Request body' : 'Example'
    field.setAttribute('aria-label', name)
  }
}

new MutationObserver(labelFields).observe(root, { childList: true, subtree: true })

SwaggerUI({
  domNode: root,
  url: '/api/v1/openapi.json',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
})
