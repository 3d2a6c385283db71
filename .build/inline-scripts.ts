/**
 * `<script data-inline="src/….ts"></script>` in index.html: the module's code stands in the page itself, because the first
 * paint waits for no other file.
 */
import { resolve } from 'node:path'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

/** What the page's source says to its reader: a phone has nothing of it. */
const COMMENTS = /\s*<!--.*?-->|(?<=\n)\s+/gs
const INLINE = /<script data-inline="([^"]+)"><\/script>/g

async function codeOf(root: string, path: string): Promise<string> {
  const { output } = await build({
    input: resolve(root, path),
    write: false,
    logLevel: 'warn',
    output: { format: 'iife', minify: true },
  })
  // what ends a script in HTML must not stand in one
  return output[0].code.trim().replaceAll('</', '<\\/')
}

export function inlineScripts(): Plugin {
  let root = ''
  return {
    name: 'inline-scripts',
    configResolved(config) {
      ;({ root } = config)
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        // before the code is there, which may have such marks of its own
        let page = html.replaceAll(COMMENTS, '')
        for (const [element, path = ''] of html.matchAll(INLINE)) {
          const code = await codeOf(root, path)
          page = page.replace(element, () => `<script>${code}</script>`)
        }
        return page
      },
    },
  }
}
