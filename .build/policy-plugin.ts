/**
 * Puts the content policies into the page. `vite preview` sends all headers, so that tests and the demo run under
 * them.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { CODE_READER, headersFor, headersOfCodeReader, withPolicy } from './content-policy.ts'

export function policyInPage(): Plugin {
  let addresses: string[] = []
  return {
    name: 'policy-in-page',
    apply: 'build',
    configResolved({ env }) {
      const valueOf = (name: string) => String(env[name] ?? '')
      const endpoints = ['VITE_API_ENDPOINT', 'VITE_FILE_STORE_ENDPOINT'].map(valueOf)
      addresses = endpoints.filter((each) => each !== '')
      // Without an address of the CRM the policy allows any server. With one, it must also name the telemetry server.
      const telemetry = valueOf('VITE_TELEMETRY_ENDPOINT')
      if (addresses.length > 0 && telemetry !== '') addresses.push(telemetry)
    },
    transformIndexHtml: { order: 'post', handler: (html) => withPolicy(html, addresses) },
  }
}

export const previewHeaders: Plugin = {
  name: 'preview-headers',
  configurePreviewServer({ config, middlewares }) {
    const page = resolve(config.root, config.build.outDir, 'index.html')
    middlewares.use(({ url = '' }, response, next) => {
      const headers = headersFor(readFileSync(page, 'utf8'))
      const sent = url.startsWith(CODE_READER) ? headersOfCodeReader(headers) : headers
      for (const [name, value] of Object.entries(sent)) response.setHeader(name, value)
      next()
    })
  },
}
