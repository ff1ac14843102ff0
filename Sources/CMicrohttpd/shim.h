#pragma once
#include <dlfcn.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <link.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Starting a server and reading a connection's properties are variadic in C, which Swift can't call.
struct server_settings {
    int listener;
    unsigned int is_ipv6;
    unsigned int threads;
    size_t memory_per_connection;
    unsigned int connections;
    unsigned int connections_per_client;
    unsigned int idle_seconds;
    // Provides the certificate for each TLS handshake; null for no TLS.
    gnutls_certificate_retrieve_function2 *certificate;
    // The first argument of the functions below.
    void *context;
    MHD_NotifyConnectionCallback connection_changed;
    void *(*target_read)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
};

// TLS 1.2 and 1.3, with forward secrecy and authenticated encryption, without SHA-1 signatures:
// https://wiki.mozilla.org/Security/Server_Side_TLS
static const char server_tls_priorities[] =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
    ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD"
    ":-SIGN-RSA-SHA1:-SIGN-ECDSA-SHA1:-SIGN-DSA-SHA1:%SERVER_PRECEDENCE";

// A certificate with its chain, and its key.
struct server_certificate {
    gnutls_pcert_st chain[8];
    unsigned int count;
    gnutls_privkey_t key;
};

static inline void server_certificate_free(struct server_certificate *own) {
    if (!own) return;
    for (unsigned int index = 0; index < own->count; index++) gnutls_pcert_deinit(&own->chain[index]);
    if (own->key) gnutls_privkey_deinit(own->key);
    free(own);
}

// Swift imports an array in a struct as a tuple.
static inline gnutls_pcert_st *server_certificate_chain(struct server_certificate *own) { return own->chain; }

// Both are PEM text. Returns null if they don't fit together; `failure` is then GnuTLS's error code.
static inline struct server_certificate *server_certificate_make(const char *certificate, const char *key, int *failure) {
    gnutls_datum_t chain = {(unsigned char *)certificate, (unsigned int)strlen(certificate)};
    gnutls_datum_t secret = {(unsigned char *)key, (unsigned int)strlen(key)};
    // GnuTLS checks that the two fit together only when it loads them as credentials.
    gnutls_certificate_credentials_t trial;
    *failure = gnutls_certificate_allocate_credentials(&trial);
    if (*failure < 0) return NULL;
    *failure = gnutls_certificate_set_x509_key_mem2(trial, &chain, &secret, GNUTLS_X509_FMT_PEM, NULL, 0);
    gnutls_certificate_free_credentials(trial);
    if (*failure < 0) return NULL;
    struct server_certificate *own = calloc(1, sizeof *own);
    if (!own) { *failure = GNUTLS_E_MEMORY_ERROR; return NULL; }
    own->count = sizeof own->chain / sizeof own->chain[0];
    *failure = gnutls_pcert_list_import_x509_raw(own->chain, &own->count, &chain, GNUTLS_X509_FMT_PEM, 0);
    if (*failure < 0) own->count = 0;
    if (*failure >= 0) *failure = gnutls_privkey_init(&own->key);
    if (*failure >= 0) *failure = gnutls_privkey_import_x509_raw(own->key, &secret, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (*failure >= 0) return own;
    server_certificate_free(own);
    return NULL;
}

// Null if libmicrohttpd fails to start. It explains that only in a log of its own.
static inline struct MHD_Daemon *server_start(const struct server_settings *settings) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->is_ipv6) flags |= MHD_USE_IPv6;
    if (settings->certificate) flags |= MHD_USE_TLS;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)server_tls_priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    // libmicrohttpd's threads inherit this mask, because signals are for other threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, settings->request, settings->context,
        MHD_OPTION_LISTEN_SOCKET, settings->listener,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_client,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
        MHD_OPTION_URI_LOG_CALLBACK, settings->target_read, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_ARRAY, settings->certificate ? tls : none,
        MHD_OPTION_ARRAY, settings->threads > 1 ? pool : none,
        MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon;
}

// Replaces an imported function of libmicrohttpd, only for libmicrohttpd. Returns the number of replaced imports: 0 if
// it doesn't call the function through its import table.
static inline int server_replace_import(const char *name, void *replacement) {
    struct link_map *library = (struct link_map *)dlopen(NULL, RTLD_LAZY);
    while (library && !strstr(library->l_name, "/libmicrohttpd.so")) library = library->l_next;
    if (!library) return 0;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *tables[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    int is_sealed = 0;
    for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB: symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
        case DT_STRTAB: names = (const char *)entry->d_un.d_ptr; break;
        case DT_RELA: tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_RELASZ: sizes[0] = entry->d_un.d_val; break;
        case DT_JMPREL: tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: sizes[1] = entry->d_un.d_val; break;
        case DT_FLAGS: is_sealed |= (entry->d_un.d_val & DF_BIND_NOW) != 0; break;
        case DT_FLAGS_1: is_sealed |= (entry->d_un.d_val & DF_1_NOW) != 0; break;
        }
    }
    if (!symbols || !names) return 0;
    int found = 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int table = 0; table < 2; table++) {
        for (size_t index = 0; index < sizes[table] / sizeof(ElfW(Rela)); index++) {
            const ElfW(Rela) *entry = &tables[table][index];
            // The layout of r_info on 64-bit machines.
            const ElfW(Sym) *symbol = &symbols[entry->r_info >> 32];
            if (strcmp(names + symbol->st_name, name) != 0 || symbol->st_shndx != SHN_UNDEF) continue;
            void **slot = (void **)(library->l_addr + entry->r_offset);
            void *first = (void *)((uintptr_t)slot & ~(page - 1));
            if (mprotect(first, page, PROT_READ | PROT_WRITE) != 0) continue;
            *slot = replacement;
            // Restores the protection that the loader has set.
            if (is_sealed) mprotect(first, page, PROT_READ);
            found++;
        }
    }
    return found;
}

static inline int connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
static inline const struct sockaddr *connection_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}
// The object that `connection_changed` stored there.
static inline void *connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
static inline gnutls_session_t connection_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? (gnutls_session_t)info->tls_session : NULL;
}
static inline size_t connection_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
// A response with neither a length nor chunks: it ends when the connection closes.
static inline void response_ends_connection(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
