/**
 * `npm run test:webkit`: a day's work in WebKit, then two windows of one phone, against the production build (`npm run build` first).
 *
 *   WebKit ── http://localhost:<gatePort> ── gate ── http://localhost:<port> ── vite preview with DEMO_CRM=1
 *
 * `server.offline()` closes the gate: the page has no network, the demo CRM keeps its state and is asked at `server.direct`.
 * `server.stop()` ends the server itself, and with it what the demo CRM held in memory.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { freePort } from '../support/free-port.mjs'
import { waitFor } from '../support/webdriver.mjs'
import { end, startWebkit, webkitMissing } from '../support/webkit.mjs'
import { day } from './webkit-day.mjs'
import { tabs } from './webkit-tabs.mjs'

const root = resolve(import.meta.dirname, '../..')
/** A TCP relay that can be shut: `open`, `close`. */
function createGate(port, gatePort) {
  const sockets = new Set()
  const track = (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const listener = createServer((client) => {
    const upstream = connect(port, 'localhost')
    for (const socket of [client, upstream]) track(socket)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  return {
    open: async () => {
      if (listener.listening) return
      await new Promise((done, fail) =>
        listener.once('error', fail).listen(gatePort, 'localhost', () => done(undefined)),
      )
    },
    close: async () => {
      if (!listener.listening) return
      const closed = new Promise((done) => listener.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function startServer() {
  // one after the other: each free port is taken only later
  const port = await freePort()
  const gatePort = await freePort()
  const gate = createGate(port, gatePort)
  let child
  const start = async () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    // vite itself, not npx: the signal must reach the server
    const args = [vite, 'preview', '--host', 'localhost', '--port', String(port), '--strictPort']
    const env = { ...process.env, DEMO_CRM: '1' }
    child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const answers = async () => {
      if (child.exitCode !== null) return true
      return (await fetch(`http://localhost:${port}/`)).ok
    }
    await waitFor(answers, { what: 'vite preview', timeout: 20_000 })
    if (child.exitCode !== null) throw new Error(`vite preview ended with ${child.exitCode}`)
  }
  const stop = () => end(child)
  try {
    await start()
    await gate.open()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `http://localhost:${gatePort}`,
    direct: `http://localhost:${port}`,
    start,
    stop,
    online: gate.open,
    offline: gate.close,
    close: async () => {
      await gate.close()
      await stop()
    },
  }
}

const counts = { passed: 0, failed: 0 }

/** Runs one step of the day. Later steps run all the same: each says what it saw. */
function createCheck(page) {
  return async (title, work) => {
    try {
      await work()
      counts.passed += 1
      console.log(`  ok      ${title}`)
    } catch (error) {
      counts.failed += 1
      const cause = error.cause ? ` (${error.cause.message})` : ''
      console.log(`  FAILED  ${title}: ${error.message}${cause}`)
      const folder = join(root, 'test-results/webkit')
      mkdirSync(folder, { recursive: true })
      await page.screenshot(join(folder, `${counts.failed}.png`)).catch(() => undefined)
    }
  }
}

async function runDay(opened) {
  if (!existsSync(join(root, 'dist/index.html'))) throw new Error('there is no dist: run npm run build first')
  const server = await startServer()
  opened.push(server.close)
  const { page, stop } = await startWebkit()
  opened.push(stop)
  const parts = { page, server, check: createCheck(page) }
  await day(parts)
  await tabs(parts)
}

async function main() {
  const missing = webkitMissing()
  if (missing) {
    console.log(`WebKit is skipped: ${missing}`)
    console.log('0 passed, 0 failed, 1 skipped')
    return
  }
  const opened = []
  let closing
  const close = async () => {
    for (const one of opened.toReversed()) await one()
  }
  const closeAll = () => (closing ??= close())
  // stopped from outside: nothing may stay behind
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => closeAll().finally(() => process.exit(1)))
  try {
    await runDay(opened)
  } catch (error) {
    counts.failed += 1
    console.log(error)
  }
  await closeAll()
  if (counts.failed > 0) process.exitCode = 1
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
}

await main()
