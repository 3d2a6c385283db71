/// <reference types="vite/client" />

/** package.json's version, set at build. */
declare const __APP_VERSION__: string
