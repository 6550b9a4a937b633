# Italian. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Proprietario/a
scope-admin = Admin
scope-moderator = Moderazione
scope-participant = Partecipante

## Headings over the people of one role

section-owner = Proprietario/a
section-admin = Admin
section-moderator = Moderazione
section-participant = Partecipanti

## Whether somebody is there

status-online = Online
status-away = Assente
status-offline = Offline

## The list

members-title = Membri
members-search = Cerca membri
members-search-go = Cerca
members-more = Mostra altri
members-previous = Precedenti nell’elenco
members-next = Altri membri
members-online = { $n ->
    [one] { $count } online
    [many] { $count } online
   *[other] { $count } online
}
members-filter = Filtro
filter-all = Tutti
filter-admins = Admin
filter-moderators = Moderazione
filter-online = Online
filter-joined = Entrati nell’ultima ora
members-found = { $n ->
    [one] { $count } risultato
    [many] { $count } di risultati
   *[other] { $count } risultati
}
members-bans-link = Ban
members-mutes-link = Persone silenziate
members-page = Membri di { $group }

group-members = { $n ->
    [one] { $count } membro
    [many] { $count } di membri
   *[other] { $count } membri
}

## A row

row-joined = Ingresso: { $date }
row-you = tu
row-own-menu = La tua partecipazione al gruppo
row-menu = Azioni per { $name }
row-select = Seleziona { $name }
row-selected = nella selezione

## Nobody to show

empty-title = Nessun membro
empty-hint = Chi entra nel gruppo compare qui.
empty-search = Nessun risultato per «{ $search }»
empty-search-hint = Prova con una parte del nome, in qualsiasi alfabeto, con o senza accenti.
empty-online = Nessuno online
empty-online-hint = Chi si collega compare qui.
empty-filter = Qui non c’è nessuno
empty-filter-hint = Al momento nessun membro corrisponde a questo filtro.
empty-clear = Mostra tutti

## Live, and what stands in its way

live-on = In tempo reale
live-reconnecting = Riconnessione…
live-off = Aggiornamenti in tempo reale interrotti. Ricarica la pagina per vedere le modifiche.
presence-batched = L’elenco di chi è online si aggiorna ogni cinque secondi.
presence-counts = C’è così tanta gente online che solo il numero si aggiorna in tempo reale.
members-failed = Impossibile mostrare i membri.
request-failed = Qualcosa non ha funzionato.
request-retry = Riprova
held-changes = { $n ->
    [one] { $count } modifica
    [many] { $count } di modifiche
   *[other] { $count } modifiche
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } ingresso
    [many] { $count } di ingressi
   *[other] { $count } ingressi
}
digest-left = { $n ->
    [one] { $count } uscita
    [many] { $count } di uscite
   *[other] { $count } uscite
}
digest-removed = { $n ->
    [one] { $count } rimozione
    [many] { $count } di rimozioni
   *[other] { $count } rimozioni
}
digest-changed = { $n ->
    [one] { $count } cambio di ruolo
    [many] { $count } di cambi di ruolo
   *[other] { $count } cambi di ruolo
}
digest-admin = { $name } ora è admin
digest-moderator = { $name } ora modera il gruppo
digest-participant = { $name } ora è partecipante
digest-owner = Il gruppo ora appartiene a { $name }

## Selecting people

selection-count = { $n ->
    [one] Selezione: { $count }
    [many] Selezione: { $count }
   *[other] Selezione: { $count }
}
selection-clear = Annulla selezione
selection-all = Seleziona tutti i risultati
selection-done = Continua
selection-full = Puoi selezionare al massimo { $count } persone.
selection-first = Selezionati i primi { $count } su { $all }.
selection-page = Persone selezionate
selection-none = Non hai selezionato nessuno.
selection-choose = Seleziona almeno una persona.
selection-fewer = Sono troppe persone in una volta. Selezionane di meno.
selection-gone = { $n ->
    [one] { $count } persona non fa più parte del gruppo.
    [many] { $count } di persone non fanno più parte del gruppo.
   *[other] { $count } persone non fanno più parte del gruppo.
}

## When the viewer is out

ended-kicked = Ti hanno rimosso da questo gruppo
ended-kicked-hint = Puoi tornare: entra di nuovo o chiedi a qualcuno di aggiungerti.
ended-banned = Ti hanno bannato da questo gruppo
ended-deleted = Questo gruppo non esiste più
ended-deleted-hint = I suoi membri non sono più visibili.
ended-left = Non fai più parte di questo gruppo
ended-left-hint = Puoi tornare: entra di nuovo o chiedi a qualcuno di aggiungerti.

## Out of the group, and at its door

left-title = Hai lasciato { $group }
left-untold = Hai lasciato il gruppo
left-ask = Per tornare, chiedi a qualcuno di aggiungerti.
act-join-again = Entra di nuovo
banned-until = Non puoi tornare finché il ban è attivo. Scadenza: { $time }.
banned-for-good = Il ban è permanente: puoi tornare solo se viene revocato.
muted-until = Non può scrivere. Scadenza: { $time }
muted-you = Per ora non puoi scrivere in questo gruppo. Scadenza: { $time }.
scope-until = Scadenza: { $time }
scope-you-admin = Ora hai il ruolo di admin. Scadenza: { $time }.
scope-you-moderator = Ora moderi il gruppo. Scadenza: { $time }.
told = Messaggio del team: { $message }
group-password-missing = Inserisci la password del gruppo.
selection-back = Modifica selezione

## Acts, in a menu

act-kick = Rimuovi
act-ban = Banna
act-unban = Revoca il ban
act-mute = Silenzia
act-unmute = Togli il silenzio
act-scope = Cambia ruolo
act-scope-own = Rinuncia al tuo ruolo
act-transfer = Trasferisci la proprietà
act-leave = Esci dal gruppo
act-cancel = Annulla
act-close = Chiudi

## Acts, as forms: the question over the form

ask-kick = Rimuovere { $name }?
ask-ban = Bannare { $name }?
ask-unban = Revocare il ban di { $name }?
ask-mute = Silenziare { $name }?
ask-unmute = Togliere il silenzio a { $name }?
ask-scope = Cambia il ruolo di { $name }
ask-scope-own = Rinuncia al tuo ruolo
ask-transfer = Trasferire il gruppo a { $name }?
ask-leave = Uscire dal gruppo?

## Acts, as forms: what will happen

hint-kick = Questa persona esce subito dal gruppo. Potrà tornare.
hint-ban = Questa persona esce subito dal gruppo e non potrà tornare finché il ban è attivo. Quello che scrivi per il team è visibile a chi modera, amministra o possiede il gruppo.
hint-unban = Questa persona potrà rientrare, ma non tornerà nel gruppo in automatico.
hint-mute = Questa persona resta nel gruppo ma non può scrivere finché dura il silenzio. Quello che scrivi per il team è visibile a chi modera, amministra o possiede il gruppo.
hint-unmute = Questa persona può subito scrivere di nuovo.
hint-scope = Ciò che questa persona può fare cambia subito, e tutti vedono il nuovo ruolo.
hint-scope-own = Rinunci a dei permessi. Può ridarteli solo chi ha un ruolo superiore.
hint-transfer = Questa persona avrà il pieno controllo del gruppo e tu diventerai admin. Solo lei potrà restituirtelo.
hint-leave = Non farai più parte del gruppo. Per tornare, entra di nuovo o chiedi a qualcuno di aggiungerti.
hint-leave-alone = Nel gruppo non c’è nessun altro. Il gruppo resta e passa al server.

## Acts, as forms: the button that does it

do-kick = Rimuovi { $name }
do-ban = Banna { $name }
do-unban = Revoca il ban di { $name }
do-mute = Silenzia { $name }
do-unmute = Togli il silenzio a { $name }
do-scope = Salva
do-transfer = Trasferisci il gruppo a { $name }
do-leave = Esci dal gruppo

## The form of a ban

ban-reason = Per il team
ban-message = Messaggio alla persona
ban-for = Durata
ban-hour = 1 ora
ban-day = 1 giorno
ban-week = 7 giorni
ban-forever = Fino a revoca
for-minutes = 5 minuti
for-other = Altra scadenza
for-hours = Numero di ore
for-day = Oppure fino alla fine del giorno scelto (UTC)
scope-forever = Fino a nuovo avviso
scope-end-now = Termina ora il ruolo
scope-legend = Ruolo
batch-will-kick = { $n ->
    [one] { $count } persona sarà rimossa dal gruppo.
    [many] { $count } de persone saranno rimosse dal gruppo.
   *[other] { $count } persone saranno rimosse dal gruppo.
}
batch-will-ban = { $n ->
    [one] { $count } persona sarà bannata.
    [many] { $count } de persone saranno bannate.
   *[other] { $count } persone saranno bannate.
}
batch-will-mute = { $n ->
    [one] { $count } persona sarà silenziata.
    [many] { $count } de persone saranno silenziate.
   *[other] { $count } persone saranno silenziate.
}
batch-will-scope = { $n ->
    [one] { $count } persona avrà il nuovo ruolo.
    [many] { $count } de persone avranno il nuovo ruolo.
   *[other] { $count } persone avranno il nuovo ruolo.
}
batch-cannot = Non possibile per { $count }:
batch-unchanged = Nulla da cambiare
batch-refused-oneself = Tu
batch-refused-equal = Ruolo uguale al tuo
batch-refused-above = Ruolo superiore al tuo
batch-refused-grant = Nuovo ruolo superiore al tuo
batch-refused-scope-ends = Ruolo permanente già pari o superiore
batch-refused-not-a-member = Fuori dal gruppo
batch-refused-changed = Modifiche nel frattempo
batch-refused-too-late = È passato troppo tempo
batch-refused-overtaken = Modifiche successive
batch-hint-kick = Le persone interessate escono subito dal gruppo. Potranno tornare.
batch-hint-ban = Le persone interessate escono subito dal gruppo e non potranno tornare finché il ban è attivo. Quello che scrivi per il team è visibile a chi modera, amministra o possiede il gruppo.
batch-hint-mute = Le persone interessate restano nel gruppo ma non possono scrivere finché dura il silenzio. Quello che scrivi per il team è visibile a chi modera, amministra o possiede il gruppo.
batch-hint-scope = Ciò che le persone interessate possono fare cambia subito, e tutti vedono il nuovo ruolo.

## What came of an act, on a page without JavaScript

done-kick = { $name } non fa più parte del gruppo.
done-ban = { $name } non può più entrare nel gruppo.
done-unban = { $name } può rientrare.
done-mute = { $name } per ora non può scrivere.
done-unmute = { $name } può scrivere di nuovo.
done-scope = { $name } ora ha un altro ruolo.
done-transfer = Il gruppo ora appartiene a { $name }.
done-undo = L’azione su { $name } è stata annullata.
done-note-added = La tua nota su { $name } è stata aggiunta.
done-note-removed = La nota su { $name } è stata rimossa.
batch-done-kick = { $n ->
    [one] { $count } persona non fa più parte del gruppo.
    [many] { $count } di persone non fanno più parte del gruppo.
   *[other] { $count } persone non fanno più parte del gruppo.
}
batch-done-ban = { $n ->
    [one] { $count } persona non può più entrare nel gruppo.
    [many] { $count } di persone non possono più entrare nel gruppo.
   *[other] { $count } persone non possono più entrare nel gruppo.
}
batch-done-mute = { $n ->
    [one] { $count } persona per ora non può scrivere.
    [many] { $count } di persone per ora non possono scrivere.
   *[other] { $count } persone per ora non possono scrivere.
}
batch-done-scope = { $n ->
    [one] { $count } persona ora ha un altro ruolo.
    [many] { $count } di persone ora hanno un altro ruolo.
   *[other] { $count } persone ora hanno un altro ruolo.
}
batch-done-undo = { $n ->
    [one] L’azione su { $count } persona è stata annullata.
    [many] L’azione su { $count } di persone è stata annullata.
   *[other] L’azione su { $count } persone è stata annullata.
}
undo-button = Annulla azione
undo-left = { $count }s
done-join = Ora fai parte del gruppo.

## Why an act is refused

refused-participant = Come partecipante non puoi farlo con nessuno.
refused-oneself = Sei tu.
refused-equal-owner = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ha il tuo stesso ruolo: proprietario/a.
refused-equal-admin = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ha il tuo stesso ruolo: admin.
refused-equal-moderator = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ha il tuo stesso ruolo: moderazione.
refused-equal-participant = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ha il tuo stesso ruolo: partecipante.
refused-above-owner = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ne ha uno superiore: proprietario/a.
refused-above-admin = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ne ha uno superiore: admin.
refused-above-moderator = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ne ha uno superiore: moderazione.
refused-above-participant = Puoi farlo solo con chi ha un ruolo inferiore al tuo, e questa persona ne ha uno superiore: partecipante.
refused-owner-only = Solo chi possiede il gruppo può trasferirlo.
refused-grant-owner = Puoi assegnare al massimo il tuo stesso ruolo: proprietario/a.
refused-grant-admin = Puoi assegnare al massimo il tuo stesso ruolo: admin.
refused-grant-moderator = Puoi assegnare al massimo il tuo stesso ruolo: moderazione.
refused-grant-participant = Puoi assegnare al massimo il tuo stesso ruolo: partecipante.
refused-self-ban = Non puoi bannarti. Se vuoi andartene, esci dal gruppo.
refused-self-mute = Non puoi silenziarti né toglierti il silenzio.
refused-scope-ends = Un ruolo può avere una scadenza solo se è superiore a quello che la persona avrebbe altrimenti.
refused-not-a-member = Questa persona non fa parte del gruppo.
refused-owner-must-transfer = Il gruppo non può restare senza proprietario/a: prima di uscire, trasferiscilo a qualcuno.
refused-not-undoable = Si può annullare solo questo: un membro ha rimosso, bannato o silenziato un’altra persona, le ha cambiato il ruolo, le ha revocato il ban o le ha tolto il silenzio.
refused-not-theirs-to-undo = Può annullarlo solo chi l’ha fatto o chi ha un ruolo superiore.
refused-not-theirs-to-remove = Può rimuovere questa nota solo chi l’ha scritta o chi ha un ruolo superiore.
refused-banned = Ti hanno bannato da questo gruppo.
refused-password = Non è la password del gruppo.
refused-rights-changed = Il suo ruolo o il tuo è cambiato nel frattempo.
refused-changed-since-shown = Nel frattempo qualcosa è cambiato. Controlla prima di riprovare.

## A field of a form that cannot be taken as it is

field-scope = Scegli un ruolo.
field-end = { $n ->
    [one] Scegli una scadenza entro { $count } giorno.
    [many] Scegli una scadenza entro { $count } di giorni.
   *[other] Scegli una scadenza entro { $count } giorni.
}
field-ends = Indica un numero di ore o un giorno, non entrambi.
field-long = { $n ->
    [one] Questo testo è troppo lungo: al massimo { $count } carattere.
    [many] Questo testo è troppo lungo: al massimo { $count } di caratteri.
   *[other] Questo testo è troppo lungo: al massimo { $count } caratteri.
}
field-odd = Questo testo contiene un carattere che non si può mostrare. Toglilo o riscrivi il testo.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } ha dato a { $name } il ruolo di admin ({ $time }).
changed-scope-moderator = { $by } ha affidato a { $name } la moderazione ({ $time }).
changed-scope-participant = { $by } ha dato a { $name } il ruolo di partecipante ({ $time }).
changed-owner = { $by } ha trasferito il gruppo ({ $time }).
changed-kicked = { $by } ha rimosso { $name } ({ $time }).
changed-banned = { $by } ha bannato { $name } ({ $time }).
changed-muted = { $by } ha silenziato { $name } ({ $time }).
changed-unmuted = { $by } ha tolto il silenzio a { $name } ({ $time }).
changed-left = { $name } ha lasciato il gruppo ({ $time }).
the-host = Il server
the-team = Il team

## Errors: a title, and what to do

error-not-found = Non trovato
error-not-found-hint = Questo gruppo non esiste o non puoi vederlo.
error-not-a-member = Non fa parte del gruppo
error-not-allowed = Non consentito
error-not-undone = Azione non annullata
undo-too-late = È passato troppo tempo per annullare.
undo-overtaken = Nel frattempo la situazione è cambiata: l’azione non è stata annullata.
error-not-any-more = Non più possibile
error-owner-must-stay = Il gruppo non può restare senza proprietario/a
error-banned = Ban attivo
error-bad-request = Questa richiesta non è leggibile
error-invalid = Un valore non è consentito
error-sign-in = Accedi
error-sign-in-hint = Serve un token viewer, come bearer o nel cookie di sessione.
error-sign-in-again = Accedi di nuovo
error-token-expired = Il token è scaduto.
error-signed-out = Tutte le tue sessioni sono state chiuse.
error-too-large = Troppo grande
error-too-large-hint = Il contenuto di questa richiesta è troppo grande.
error-too-fast = Troppo veloce
error-too-fast-hint = { $n ->
    [one] Riprova tra { $count } secondo.
    [many] Riprova tra { $count } di secondi.
   *[other] Riprova tra { $count } secondi.
}
error-unavailable = Non possibile al momento
error-unavailable-hint = Non è cambiato nulla. Riprova tra poco.
error-unsure = Non si sa se è stato fatto
error-unsure-hint = La risposta non è arrivata in tempo. Controlla se è stato fatto prima di riprovare.
error-internal = Qualcosa è andato storto da parte nostra
error-internal-hint = Se ce lo segnali, indica questo numero: { $number }

## Whole pages

page-back = Indietro
page-members = Membri
page-not-a-member = Non fai parte di questo gruppo.
page-refused = Non possibile
group-join-password = Può entrare chi conosce la password.
group-join = Può entrare chiunque.
group-password = Password
act-join = Entra

## Who is banned

bans-title = Ban in { $group }
bans-search = Cerca tra i ban
bans-none = Nessun ban
bans-no-reason = Nessun motivo indicato.
bans-until = Scadenza: { $time }.
bans-forever = Fino a revoca.
bans-by = Ban deciso da: { $by }, { $time }.
mutes-by = Silenzio deciso da: { $by }, { $time }.
mutes-title = Persone silenziate in { $group }
mutes-search = Cerca tra le persone silenziate
mutes-none = Nessuna persona silenziata
notes-label = Note
notes-title = Note su { $name }
notes-hint = Può leggerle solo chi nel team ha un ruolo superiore a quello di questa persona, che non ne viene informata.
notes-none = Ancora nessuna nota
notes-count = Note: { $count }
notes-by = { $by }, { $time }
notes-text = Nota
notes-missing = Scrivi prima la nota.
notes-full = Non si possono conservare altre note su questa persona. Rimuovine prima una.
notes-add = Aggiungi nota
notes-remove = Rimuovi

## The feed of changes

feed-title = Modifiche in { $group }
feed-joined = { $name } ora fa parte del gruppo
feed-added = { $by } ha aggiunto { $name }
feed-left = { $name } ha lasciato il gruppo
feed-kicked = { $by } ha rimosso { $name }
feed-banned = { $by } ha bannato { $name }
feed-unbanned = { $by } ha revocato il ban di { $name }
feed-muted = { $by } ha silenziato { $name }
feed-unmuted = { $by } ha tolto il silenzio a { $name }
feed-scope-admin = { $by } ha dato a { $name } il ruolo di admin
feed-scope-moderator = { $by } ha affidato a { $name } la moderazione
feed-scope-participant = { $by } ha dato a { $name } il ruolo di partecipante
feed-owner = Il gruppo ora appartiene a { $name }
feed-updated = { $name } ha un nuovo nome o una nuova foto
feed-note-added = { $by } ha aggiunto una nota su { $name }
feed-note-removed = { $by } ha rimosso una nota su { $name }
feed-synced = I membri sono stati sincronizzati con il server
feed-group-created = Il gruppo è stato creato
feed-group-updated = Sono cambiati il nome, la foto o la descrizione del gruppo
feed-group-deleted = Il gruppo è stato eliminato
