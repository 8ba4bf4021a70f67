/**
 * Runs in the document's head, before anything is painted: puts the stored theme on <html>, so that nobody
 * sees another one flash by. It says in plain script what theme-setting.ts does from then on.
 */
export const themeBootScript =
  "try{var t=localStorage.getItem('theme');" +
  "if(t==='soft-dark'||t==='hc')document.documentElement.setAttribute('data-theme',t)}catch(e){}"
