/**
 * A small W3C WebDriver client: a page and its windows, their elements, and waiting. Finders wait until the element is there.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Calls `probe` until it gives something truthy; its last error is the cause when it never does. */
export async function waitFor(probe, { what = 'the condition', timeout = 10_000 } = {}) {
  const deadline = Date.now() + timeout
  let cause
  do {
    try {
      const value = await probe()
      if (value) return value
    } catch (error) {
      cause = error
    }
    await sleep(50)
  } while (Date.now() < deadline)
  throw new Error(`waited ${timeout / 1000} s for ${what}`, { cause })
}

async function call(driver, method, path, body) {
  const response = await fetch(driver + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`)
  return value
}

/** Opens a session at a driver's URL; gives its page. */
export async function openSession(driver, capabilities) {
  const { sessionId } = await call(driver, 'POST', '/session', { capabilities })
  return new Page(driver, sessionId)
}

/** Runs in the page: the visible elements whose name (label, aria-label, own text) is `name`, innermost first. */
const named = `
  const [name, selector] = arguments
  const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim()
  const names = (element) => [
    element.getAttribute('aria-label'),
    ...(element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => id && document.getElementById(id)?.textContent),
    ...[...(element.labels ?? [])].map((label) => label.textContent),
    element.innerText,
    element.getAttribute('alt'),
  ]
  const found = [...document.querySelectorAll(selector)].filter(
    (element) => element.getClientRects().length > 0 && names(element).some((text) => plain(text) === name),
  )
  return found.filter((element) => !found.some((other) => other !== element && element.contains(other)))
`

/** Runs in the page: React listens to the native setter's input event. */
const setValue = `
  const [element, value] = arguments
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set
  element.focus()
  setter.call(element, value)
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
`

/** One element on the page. */
class Element {
  constructor(page, id) {
    this.page = page
    this.id = id
  }

  click() {
    return this.page.send('POST', `/element/${this.id}/click`, {})
  }

  /** Types with the keyboard, at the end of what is there. */
  type(text) {
    return this.page.send('POST', `/element/${this.id}/value`, { text })
  }

  /** Replaces the value at once: for dates, and for text that no keyboard has. */
  fill(value) {
    return this.page.execute(setValue, this, value)
  }

  text() {
    return this.page.send('GET', `/element/${this.id}/text`)
  }

  attribute(name) {
    return this.page.send('GET', `/element/${this.id}/attribute/${name}`)
  }
}

/** The page of a session: of its windows the one that was chosen last. */
class Page {
  constructor(driver, sessionId) {
    this.driver = driver
    this.session = `/session/${sessionId}`
  }

  send(method, path, body) {
    return call(this.driver, method, this.session + path, body)
  }

  resize(width, height) {
    return this.send('POST', '/window/rect', { width, height })
  }

  navigate(url) {
    return this.send('POST', '/url', { url })
  }

  reload() {
    return this.send('POST', '/refresh', {})
  }

  url() {
    return this.send('GET', '/url')
  }

  title() {
    return this.send('GET', '/title')
  }

  /** Runs `script` (a function, or a body with `arguments`) in the page; promises are awaited. */
  async execute(script, ...args) {
    const body = typeof script === 'function' ? `return (${script})(...arguments)` : script
    const wire = args.map((arg) => (arg instanceof Element ? { [elementKey]: arg.id } : arg))
    return this.unwrap(await this.send('POST', '/execute/sync', { script: body, args: wire }))
  }

  unwrap(value) {
    if (Array.isArray(value)) return value.map((item) => this.unwrap(item))
    return value?.[elementKey] ? new Element(this, value[elementKey]) : value
  }

  /** The first element for a CSS selector. */
  css(selector, options) {
    return this.find('css selector', selector, options)
  }

  /** The first element for an XPath. */
  xpath(path, options) {
    return this.find('xpath', path, options)
  }

  find(using, value, options) {
    const probe = async () => this.unwrap(await this.send('POST', '/element', { using, value }))
    return waitFor(probe, { what: `${using} ${value}`, ...options })
  }

  /** The visible button, link, field or text with this accessible name. `selector` narrows the kind. */
  async named(name, { selector = 'body *', ...options } = {}) {
    const probe = async () => (await this.execute(named, name, selector))[0]
    return waitFor(probe, { what: `${selector} named ${name}`, ...options })
  }

  /** Waits until the visible text of the page holds `text`. */
  hasText(text, options) {
    const probe = () => this.execute((wanted) => document.body.innerText.includes(wanted), text)
    return waitFor(probe, { what: `the text ${text}`, ...options })
  }

  waitFor(probe, options) {
    return waitFor(() => this.execute(probe), options)
  }

  /** Which of the session's windows this is at the moment. */
  window() {
    return this.send('GET', '/window')
  }

  /** Opens one more window, and goes on there. @returns its handle for `toWindow` */
  async openWindow() {
    const { handle } = await this.send('POST', '/window/new', { type: 'window' })
    await this.toWindow(handle)
    return handle
  }

  toWindow(handle) {
    return this.send('POST', '/window', { handle })
  }

  /** Closes the window it is in; `toWindow` says where to go on. */
  closeWindow() {
    return this.send('DELETE', '/window')
  }

  /** Writes a PNG of the window. */
  async screenshot(file) {
    writeFileSync(file, Buffer.from(await this.send('GET', '/screenshot'), 'base64'))
  }

  close() {
    return this.send('DELETE', '').catch(() => undefined) // a crashed page has nothing to close
  }
}
