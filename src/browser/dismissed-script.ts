/** Key in `localStorage`: ids of the announcements that the user has dismissed, as a JSON array. */
export const dismissedKey = 'dismissedAnnouncements'

/**
 * Inline script of the document's head. Hides dismissed announcements before the first paint, so that the page does not move
 * when hydration removes them: the document is the same for everyone.
 */
export const dismissedScript =
  `try{var a=new CSSStyleSheet;JSON.parse(localStorage.getItem('${dismissedKey}')).forEach(function(i){` +
  `a.insertRule('[data-announcement="'+CSS.escape(i)+'"]{display:none}')});` +
  'document.adoptedStyleSheets=[a]}catch(e){}'
