/**
 * Where the browser for the end-to-end tests comes from.
 *
 *   $CHROMIUM_PATH  →  a system browser  →  @sparticuz/chromium (bundled with node_modules)
 *
 * The bundled one needs neither apt nor root: its nss/nspr libraries are unpacked beside it. It has no
 * Japanese font, which is fine for tests and not for pictures. `CHROMIUM_PATH=bundled` forces it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
// not when it is wanted: who has loaded this file by Vite's `runnerImport` (the benches) can load nothing more by then
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium'

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A camera without a device, and the user's leave for it. */
export const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** The browser's path. It is left in `$CHROMIUM_PATH`, so that Playwright's workers do not search again. */
export async function chromiumPath(): Promise<string> {
  const wanted = process.env['CHROMIUM_PATH']
  if (wanted && wanted !== 'bundled') return wanted
  const system = wanted === 'bundled' ? undefined : systemBrowsers.find((path) => existsSync(path))
  const path = system ?? (await unpackBundled(resolve('node_modules/.cache/chromium')))
  process.env['CHROMIUM_PATH'] = path
  return path
}

async function unpackBundled(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin')
  const libraries = join(folder, 'al2023', 'lib')
  const keep = process.env['TMPDIR']
  process.env['TMPDIR'] = folder // the package unpacks to os.tmpdir(), read at call time
  try {
    if (!existsSync(libraries)) await inflate(join(bin, 'al2023.tar.br'))
    setupLambdaEnvironment(libraries) // LD_LIBRARY_PATH, inherited by the browser
    const path = await chromium.executablePath()
    process.env['FONTCONFIG_PATH'] = writeFontConfig(folder)
    return path
  } finally {
    if (keep === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = keep
  }
}

// the package's own fonts.conf points at a folder that is not there; without any font Skia aborts the browser
function writeFontConfig(folder: string): string {
  const target = join(folder, 'fontconfig')
  mkdirSync(target, { recursive: true })
  writeFileSync(
    join(target, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  )
  return target
}
