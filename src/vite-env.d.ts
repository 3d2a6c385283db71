/// <reference types="vite/client" />

/** package.json's version, set at build. */
declare const __APP_VERSION__: string

/** `.build/arktype-parts.ts` */
declare module 'virtual:arktype-parts' {
  export const parts: readonly (() => Promise<unknown>)[]
}
