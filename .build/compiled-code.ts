/**
 * Lets Chromium reuse the code that it compiled at an earlier start (decisions/speed). Chromium compiles a file that the
 * service worker answers anew if a module requests it (`modulepreload`), and reads its code cache if a script does
 * (`preload`).
 */
import type { Plugin } from 'vite'

/** Makes Chromium compile every function of a chunk on another thread, so that the code cache contains them all. */
export const ALL_COMPILED = '//# allFunctionsCalledOnLoad'

const HAS_WORKER = 'navigator.serviceWorker?.controller'
const SUPPORTS = /\w+\.supports\((['"`])modulepreload\1\)/
const LINK = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g
const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/

/** Returns a script that requests the first chunks before the page's module does. */
const requestOf = (files: readonly string[]) =>
  `<script>for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement('link'),` +
  `{rel:${HAS_WORKER}?'preload':'modulepreload',as:'script',crossOrigin:'',href}))</script>`

export const compiledCode: Plugin = {
  name: 'compiled-code',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler(code) {
      if (!SUPPORTS.test(code))
        this.error('compiled-code: Vite chooses the kind of its preload links in another way')
      return { code: code.replace(SUPPORTS, (isKnown) => `${isKnown} && !${HAS_WORKER}`), map: null }
    },
  },
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const entry = ENTRY.exec(html)
      if (!entry?.[1]) throw new Error('compiled-code: the page has no entry')
      const files = [entry[1], ...[...html.matchAll(LINK)].map(([, file = '']) => file)]
      return html.replaceAll(LINK, '').replace(entry[0], () => requestOf(files) + entry[0])
    },
  },
}
