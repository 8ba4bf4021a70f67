/** Shows the gallery of a Rangoli site on another site: public REST calls, no token, no library. */

const pageSize = 12
const site = document.body.dataset.site
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const list = document.querySelector('ul')
const more = document.querySelector('#more')

/** Address of the next page; null after the last. */
let next = null
/** Number of searches, to discard responses of earlier ones. */
let search = 0

form.addEventListener('submit', (event) => {
  event.preventDefault()
  start(new FormData(form).get('search').trim())
})
more.addEventListener('click', () => void show(next, search))

start('')

/** Shows the newest posts that contain a term. */
function start(term) {
  search += 1
  const address = new URL('/api/v1/post', site)
  address.search = new URLSearchParams({ search: term, limit: pageSize })
  list.replaceChildren()
  more.hidden = true
  void show(address, search)
}

/** Adds the posts at an address unless another search has started. */
async function show(address, ofSearch) {
  status.textContent = 'Loading …'
  more.disabled = true
  try {
    const page = await fetchPage(address)
    if (ofSearch !== search) return
    const items = page.posts.map(card)
    list.append(...items)
    next = page.next
    more.hidden = next === null
    status.textContent = describe(list.children.length, next !== null)
    // Keyboard and screen reader users continue at the first new post.
    if (items.length < list.children.length) items[0]?.querySelector('a').focus()
  } catch (error) {
    if (ofSearch === search) status.textContent = `The images could not be loaded: ${error.message}`
  } finally {
    more.disabled = false
  }
}

/** A page of the gallery, newest first, and the address of the next one. */
async function fetchPage(address) {
  const answer = await fetch(address)
  const body = await answer.json()
  if (!body.success) throw new Error(body.error)
  const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')
  return { posts: body.data.toReversed(), next: link ? new URL(link[1]) : null }
}

function describe(count, hasMore) {
  if (count === 0) return 'There are no such images.'
  return `${count} ${count === 1 ? 'image' : 'images'}${hasMore ? ', and there are more' : ''}`
}

/** An image with author and prompt, inserted as text, never as markup. */
function card({ name, prompt, photo }) {
  const image = element('img', { src: photo, alt: prompt, loading: 'lazy', width: 512, height: 512 })
  const link = element('a', { href: photo }, image)
  const author = element('strong', {}, name)
  const caption = element('figcaption', {}, author, element('span', {}, prompt))
  return element('li', {}, element('figure', {}, link, caption))
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
