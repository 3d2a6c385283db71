/// <reference types="vite/client" />

/** package.json's version, set at build. */
declare const __APP_VERSION__: string

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
