/**
 * WebKit, the iPhone's engine: a virtual display, the driver and one page. Each start takes a free display and
 * a free port, and `stop` ends only what it started.
 * There is no offline switch: cut the server off instead (see tests/e2e/webkit.mjs).
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.mjs'
import { openSession, waitFor } from './webdriver.mjs'

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Debian keeps the browser that WebKitWebDriver drives in the library's own folder. */
function miniBrowser() {
  const lib = '/usr/lib'
  if (!existsSync(lib)) return undefined
  return readdirSync(lib)
    .flatMap((arch) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((api) => join(lib, arch, api, 'MiniBrowser')))
    .find((path) => existsSync(path))
}

/** Why WebKit cannot be driven here; undefined if it can. */
export function webkitMissing() {
  const missing = ['Xvfb', 'WebKitWebDriver'].filter((name) => !onPath(name))
  if (!miniBrowser()) missing.push('MiniBrowser')
  if (missing.length === 0) return undefined
  return `${missing.join(', ')} not installed (Debian: apt-get install webkit2gtk-driver xvfb)`
}

/** Ends a child process and waits until it is gone. */
export async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const hard = setTimeout(() => child.kill('SIGKILL'), 3000)
  await gone
  clearTimeout(hard)
}

/** Xvfb chooses a free display itself and writes its number to descriptor 3. */
async function startDisplay() {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '800x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  let number = ''
  child.stdio[3].on('data', (data) => (number += data))
  await waitFor(() => number.endsWith('\n'), { what: 'Xvfb' })
  return { child, display: `:${number.trim()}` }
}

async function startDriver(display, home) {
  const port = await freePort()
  // bubblewrap cannot start where one is root or user namespaces are closed; only our own pages are opened here
  const sandbox =
    process.getuid?.() === 0 || process.env.CI ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}
  const env = {
    ...process.env,
    ...sandbox,
    DISPLAY: display,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    NO_AT_BRIDGE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    LANG: 'ja_JP.UTF-8',
    LANGUAGE: 'ja',
    TZ: 'Asia/Tokyo',
  }
  const child = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await waitFor(async () => (await fetch(`${url}/status`)).ok, { what: 'WebKitWebDriver' })
  return { child, url }
}

/** Starts WebKit; gives `{page, stop}`. The window is as wide as a phone. */
export async function startWebkit() {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'))
  const started = []
  const stop = async () => {
    for (const child of started.toReversed()) await end(child)
    try {
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    } catch {
      // a process of WebKit that is still ending writes into it: the system clears its temporary files
    }
  }
  try {
    const { child: xvfb, display } = await startDisplay()
    started.push(xvfb)
    const driver = await startDriver(display, home)
    started.push(driver.child)
    const page = await openPage(driver.url)
    return {
      page,
      stop: async () => {
        await page.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openPage(driver) {
  const page = await openSession(driver, {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } },
  })
  await page.resize(390, 844)
  return page
}
