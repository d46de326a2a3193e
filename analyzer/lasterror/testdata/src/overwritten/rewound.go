package overwritten

import (
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func save(client *http.Client, req *http.Request, file *os.File) (n int64, err error) {
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return io.Copy(file, resp.Body)
}

// The file is rewound into the variable that had the failure.
func download(client *http.Client, req *http.Request, file *os.File) (n int64, err error) {
	for range 5 {
		n, err = save(client, req, file)
		if err == nil || !isTimeout(err) {
			return
		}
		log.Printf("saving: %v, once more", err)
		_, err = file.Seek(0, io.SeekStart)
		if err != nil {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return // want `returns nil when the attempts are used up`
}

func keepsFailure(client *http.Client, req *http.Request, file *os.File) (n int64, err error) {
	for range 5 {
		n, err = save(client, req, file)
		if err == nil || !isTimeout(err) {
			return
		}
		log.Printf("saving: %v, once more", err)
		if _, seekErr := file.Seek(0, io.SeekStart); seekErr != nil {
			return 0, seekErr
		}
		time.Sleep(time.Second)
	}
	return
}

// What went wrong was shown, and what stands in for it went well.
func standsIn(client *http.Client, req *http.Request, file *os.File) (n int64, err error) {
	for range 5 {
		n, err = save(client, req, file)
		if err == nil {
			return n, nil
		}
		log.Printf("saving: %v, once more", err)
		time.Sleep(time.Second)
	}
	_, err = file.WriteString("none")
	if err != nil {
		return 0, err
	}
	return 0, err
}
