/**
 * Puts the app's own worker code before Workbox's code in sw.js. One file is needed, because the content policy
 * forbids a worker to load another script.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

const WORKER = 'src/app/updates/worker/worker.ts'

/** @param instead for tests: files that replace imported modules (`#schemas/…` → file) */
export async function workerCode(root: string, instead: Record<string, string> = {}): Promise<string> {
  const { output } = await build({
    input: resolve(root, WORKER),
    cwd: root,
    write: false,
    logLevel: 'warn',
    resolve: { alias: instead },
    output: { format: 'iife', minify: true, codeSplitting: false },
  })
  return `${output[0].code.trim()}\n`
}

/** Must run after the plugin that writes sw.js. */
export function codeInWorker(): Plugin {
  let root = ''
  let dist = ''
  return {
    name: 'code-in-worker',
    enforce: 'post',
    apply: 'build',
    configResolved(config) {
      ;({ root } = config)
      dist = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      sequential: true,
      async handler(error) {
        if (error) return
        const worker = join(dist, 'sw.js')
        const code = (await workerCode(root)) + readFileSync(worker, 'utf8')
        writeFileSync(worker, code)
        // sw.js is compressed here, because the plugin that compresses files has already run.
        writeFileSync(`${worker}.br`, brotliCompressSync(code))
        writeFileSync(`${worker}.gz`, gzipSync(code, { level: 9 }))
      },
    },
  }
}
