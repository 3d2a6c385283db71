/**
 * A page of Chromium that is only driven. Playwright asks Chromium for what the network brings, and so each answer is copied
 * and decoded once more on the page's main thread: 14 MB of JSON hold it up 0.3–0.45 s then, and 0.1 s without (CPU 4 times
 * slowed). A context that Playwright does not know of has none of that.
 */
const POLL_MS = 30
const LIMIT_MS = 90_000

const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** What a page is told, by DevTools' protocol. @returns how to send to it */
async function attached(session, targetId) {
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map()
  let last = 0
  session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    if (from !== sessionId) return
    const { id, result, error } = JSON.parse(message)
    const { resolve, reject } = waiting.get(id) ?? {}
    if (error) reject?.(new Error(error.message))
    else resolve?.(result)
    waiting.delete(id)
  })
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      const message = JSON.stringify({ id: last, method, params })
      session.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
}

/**
 * @param browser of Playwright, launched without a profile: its other contexts are its own
 * @param options.rate how many times slower than this machine
 * @param options.init runs in the page before anything of it
 */
export async function openPlainPage(browser, { width, height, rate, init }) {
  const session = await browser.newBrowserCDPSession()
  const { browserContextId } = await session.send('Target.createBrowserContext')
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const send = await attached(session, targetId)
  await send('Page.enable')
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${init})()` })
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  await send('Emulation.setCPUThrottlingRate', { rate })

  const evaluate = async (run, ...args) => {
    const expression = `(${run})(...${JSON.stringify(args)})`
    const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (answer.exceptionDetails) throw new Error(JSON.stringify(answer.exceptionDetails))
    return answer.result.value
  }
  const mouse = (type, more) => send('Input.dispatchMouseEvent', { type, ...more })
  /** @returns what `run` found, once it is something */
  const found = async (run, ...args) => {
    const end = Date.now() + LIMIT_MS
    while (Date.now() < end) {
      // a page that is just leaving answers with an error
      const value = await evaluate(run, ...args).catch(() => null)
      if (value) return value
      await sleep(POLL_MS)
    }
    throw new Error(`not found within ${LIMIT_MS} ms: ${run}`)
  }
  return {
    evaluate,
    found,
    goto: (url) => send('Page.navigate', { url }),
    wheel: (x, y, deltaY) => mouse('mouseWheel', { x, y, deltaX: 0, deltaY }),
    async click(x, y) {
      await mouse('mousePressed', { x, y, button: 'left', clickCount: 1 })
      await mouse('mouseReleased', { x, y, button: 'left', clickCount: 1 })
    },
    async close() {
      await session.send('Target.disposeBrowserContext', { browserContextId })
      await session.detach()
    },
  }
}
