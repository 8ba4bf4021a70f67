import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'

/** The page at /api/v1/docs: Swagger UI over the site's own description of its REST calls. */
const root = document.getElementById('reference')
if (!root) throw new Error('The page has no place for the reference.')

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** Tells Swagger UI, which has a light and a dark look, which of them the site's theme is nearer to. */
function dress(): void {
  const isChosen = document.documentElement.dataset['theme'] !== undefined
  // Both themes that can be chosen are dark.
  document.documentElement.classList.toggle('dark-mode', isChosen || prefersDark.matches)
}

dress()
prefersDark.addEventListener('change', dress)

/** Says what those fields are for of which Swagger UI does not. */
function nameFields(): void {
  for (const field of document.querySelectorAll(
    ':is(select, textarea):not([aria-label], [aria-labelledby])',
  )) {
    const name = field.id === 'servers' ? 'Server' : field.matches('textarea') ? 'Request body' : 'Example'
    field.setAttribute('aria-label', name)
  }
}

new MutationObserver(nameFields).observe(root, { childList: true, subtree: true })

SwaggerUI({
  domNode: root,
  url: '/api/v1/openapi.json',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
})
